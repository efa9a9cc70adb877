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
  // As dpbandits.recommend: the nearest measured cell in each direction, by ratios.
  const [sentence, code] = form.parentElement.querySelectorAll(".answer");
  const cells = [...form.parentElement.querySelectorAll(".rankings table")].map((table) => {
    const [league, ...numbers] = table.dataset.key.split("|");
    return { table, league, numbers: numbers.map(Number), candidates: JSON.parse(table.dataset.candidates) };
  });
  const best = (cell) => cell.candidates.filter(([, , tied]) => tied).map(([label]) => label);
  const written = (x) => x.toLocaleString("en", { maximumFractionDigits: 6 });
  const name = ({ numbers: [epsilon, arms, rounds] }) => `ε = ${written(epsilon)}, ${arms} arms, ${written(rounds)} rounds`;

  const around = (asked, own) => {
    for (const cell of own) {
      cell.ratios = cell.numbers.map((x, i) => Math.log(x / asked[i]));
      cell.distance = cell.ratios.reduce((sum, x) => sum + Math.abs(x), 0);
    }
    const sorted = own.toSorted((a, b) => a.distance - b.distance);
    const directions = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [0, 1, 2].map((i) => (bits >> i & 1 ? -1 : 1)));
    const nearest = directions.map((signs) => sorted.find((cell) => cell.ratios.every((x, i) => x * signs[i] >= -1e-12)));
    return sorted.filter((cell) => nearest.includes(cell));
  };

  const answer = () => {
    const [league, ...texts] = [...form.elements].map((element) => element.value);
    const asked = texts.map(Number), own = cells.filter((cell) => cell.league === league);
    for (const { table } of cells) table.hidden = true;
    code.textContent = "";
    for (const [i, what] of ["ε", "arms", "rounds"].entries()) {
      const values = own.map(({ numbers }) => numbers[i]), low = Math.min(...values), high = Math.max(...values);
      if (!(asked[i] >= low && asked[i] <= high)) {
        sentence.textContent = `${what}: measured from ${written(low)} to ${written(high)}. Other numbers have no answer here.`;
        return;
      }
    }
    const found = around(asked, own), [first] = found, calls = new Map();
    first.table.hidden = false;
    for (const cell of found)
      for (const [label, call, tied] of cell.candidates)
        if ((tied || cell === first) && !calls.has(label))
          calls.set(label, `p.${call.replace(/epsilon=([^,)]+)/, (_, x) => `epsilon=${+((x * asked[0]) / cell.numbers[0]).toPrecision(6)}`)}`);
    const agree = found.every((cell) => best(cell).includes(best(first)[0]));
    const places = found.map((cell) => `${name(cell)}: ${best(cell).join(" = ")}.`).join(" ");
    sentence.textContent = `Nearest measured cell, ${places}${agree ? "" : " The cells disagree."} To compare the candidates on your own arms:`;
    const values = { others: asked[1] - 1, calls: [...calls.values()].join(", "), rounds: asked[2] };
    code.textContent = code.dataset.code.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  };
  form.addEventListener("input", answer);
  answer();
}
