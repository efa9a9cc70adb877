"use strict";
// A click on a head sorts rows, numbers first. The rows of one check share a body and stay together.
const valueIn = (cell) => Number.parseFloat(cell.textContent.replace(/^[\s≥≤<>]+|,/g, ""));
const inOrder = (a, b) => {
  const [x, y] = [valueIn(a), valueIn(b)];
  return isNaN(x) - isNaN(y) || x - y || a.textContent.localeCompare(b.textContent, "en", { numeric: true });
};
for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      const parent = table.tBodies.length > 1 ? table : table.tBodies[0];
      const parts = parent === table ? [...table.tBodies] : [...parent.rows];
      const cell = (part) => (part.rows?.[0] ?? part).cells[head.cellIndex];
      parts.sort((a, b) => inOrder(cell(a), cell(b)));
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = down ? "descending" : "ascending";
      parent.append(...(down ? parts.reverse() : parts));
    });
  }
}
