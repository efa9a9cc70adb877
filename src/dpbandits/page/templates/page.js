"use strict";
// Without this script the page has all tables and, as images, all figures. It adds curves that a click hides, tables that a click
// sorts. Figures are scripts beside the page, loaded when they are seen.

function load(file) {
  const script = document.createElement("script");
  script.src = file;
  document.head.append(script);
}

function legend(figure) {
  const curves = Map.groupBy(figure.querySelectorAll("[data-label]"), (curve) => curve.dataset.label);
  figure.querySelector(".plot").classList.toggle("curves", curves.size > 0);
  if (curves.size < 2) return;
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

// Called by files/<study>/<figure>.js.
function drawn(place, svg) {
  const plot = document.querySelector(`[data-place="${place}"]`);
  plot.innerHTML = svg;
  plot.removeAttribute("style");
  legend(plot.closest("figure"));
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    load(`${target.dataset.folder}/${target.dataset.place}.js`);
  }
}, { rootMargin: "400px" });
for (const plot of document.querySelectorAll(".plot")) seen.observe(plot);

// A click on a column's head sorts rows; the rows of one check, which share a body, stay together. A cell that begins with a number
// is sorted by it, and comes before other text.
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
      const parts = table.tBodies.length > 1 ? [...table.tBodies] : [...parent.rows];
      const cell = (part) => (part.rows?.[0] ?? part).cells[head.cellIndex];
      parts.sort((a, b) => inOrder(cell(a), cell(b)));
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = down ? "descending" : "ascending";
      parent.append(...(down ? parts.reverse() : parts));
    });
  }
}
