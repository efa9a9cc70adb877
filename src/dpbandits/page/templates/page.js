"use strict";
// The page is complete without this script. It adds curves that a click hides, tables that a click sorts, and the arena's rankings.

for (const figure of document.querySelectorAll("figure")) {
  const curves = Map.groupBy(figure.querySelectorAll("[data-label]"), (curve) => curve.dataset.label);
  if (curves.size < 2) continue;
  for (const [label, parts] of curves) {
    const button = document.createElement("button");
    const key = document.createElement("i");
    const drawn = parts.map((part) => part.querySelector("path[style*='stroke: #'], use[style*='stroke: #']")).find(Boolean);
    key.style.background = drawn?.style.stroke ?? "";
    button.type = "button";
    button.ariaPressed = "true";
    button.append(key, label);
    button.addEventListener("click", () => {
      const isShown = button.ariaPressed === "true";
      button.ariaPressed = String(!isShown);
      for (const part of parts) part.classList.toggle("off", isShown);
    });
    figure.querySelector(".legend").append(button);
  }
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      const text = (row) => row.cells[head.cellIndex].textContent;
      const rows = [...table.tBodies[0].rows].sort((a, b) => text(a).localeCompare(text(b), "en", { numeric: true }));
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = down ? "descending" : "ascending";
      table.tBodies[0].append(...(down ? rows.reverse() : rows));
    });
  }
}

for (const form of document.querySelectorAll(".choice")) {
  const rankings = form.parentElement.querySelector(".rankings");
  form.addEventListener("change", () => {
    const chosen = [...form.querySelectorAll("select")].map((select) => select.value).join("|");
    for (const table of rankings.querySelectorAll("table")) table.hidden = table.dataset.key !== chosen;
  });
}
