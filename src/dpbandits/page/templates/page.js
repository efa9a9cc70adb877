"use strict";
// Without this script the page has all tables and, as images, all figures. It adds curves that a click hides, tables that a click
// sorts, the arena's rankings, and addresses. Figures and rankings are scripts beside the page, loaded when they are seen.

function load(file) {
  const script = document.createElement("script");
  script.src = file;
  document.head.append(script);
}

function legend(figure) {
  const curves = Map.groupBy(figure.querySelectorAll("[data-label]"), (curve) => curve.dataset.label);
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

for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      const text = (row) => row.cells[head.cellIndex].textContent;
      const order = (a, b) => text(a) - text(b) || text(a).localeCompare(text(b), "en", { numeric: true });
      const rows = [...table.tBodies[0].rows].sort(order);
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = down ? "descending" : "ascending";
      table.tBodies[0].append(...(down ? rows.reverse() : rows));
    });
  }
}

const rankings = {};

// Called by files/<arena>/rankings.js.
function ranked(arena, tables) {
  rankings[arena] = tables;
  for (const form of document.querySelectorAll(".choice")) show(form);
}

function parts(form) {
  return { box: form.parentElement.querySelector(".rankings"), selects: [...form.querySelectorAll("select")] };
}

function chosen(form) {
  return parts(form).selects.map((select) => select.value);
}

function show(form) {
  const { box } = parts(form);
  const tables = rankings[box.dataset.id];
  const key = chosen(form).join("|");
  const table = box.querySelector("table");
  if (table.dataset.key !== key) {
    if (!tables) return load(`${box.dataset.folder}/${box.dataset.id}/rankings.js`);
    table.tBodies[0].innerHTML = tables[key] ?? "";
    table.dataset.key = key;
    for (const head of table.tHead.rows[0].cells) head.ariaSort = null;
  }
  table.hidden = !table.tBodies[0].rows.length;
  advise(form);
}

// A practitioner's units: what the best policy loses at so many visitors a day.
function advise(form) {
  const { box, selects } = parts(form);
  const visitors = Number(form.querySelector(".visitors").value) * Number(form.querySelector(".days").value);
  const best = box.querySelector("table:not([hidden]) tbody tr");
  const number = (value) => Math.round(value).toLocaleString("en");
  form.parentElement.querySelector(".advice").textContent = !visitors || !best ? "" :
    `${number(visitors)} visitors; the nearest number of rounds that was measured is ${number(selects.at(-1).value)}. ` +
    `After these ${best.dataset.label} has ${number(best.dataset.least)} to ${number(best.dataset.most)} conversions less than ` +
    `${box.dataset.yardstick}, which has no privacy, on the bandits below. ` +
    `It loses the best arm in ${(100 * best.dataset.lost).toFixed(1)}% of the runs.`;
}

for (const form of document.querySelectorAll(".choice")) {
  const { box, selects } = parts(form);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    const visitors = Number(form.querySelector(".visitors").value) * Number(form.querySelector(".days").value);
    if (target.type === "number" && visitors > 0) {
      const far = (option) => Math.abs(Math.log(option.value / visitors));
      selects.at(-1).value = [...selects.at(-1).options].reduce((a, b) => (far(b) < far(a) ? b : a)).value;
    }
    history.replaceState(null, "", `#${[box.dataset.id, ...chosen(form)].map(encodeURIComponent).join("/")}`);
    show(form);
  });
}

// Addresses: #arena/local/0.5/10/100000 chooses, #policy/dp_se opens a card.
function follow() {
  const address = location.hash.slice(1).split("/").map(decodeURIComponent);
  for (const form of document.querySelectorAll(".choice")) {
    const { box, selects } = parts(form);
    if (address[0] !== box.dataset.id || address.length !== selects.length + 1) continue;
    selects.forEach((select, place) => { select.value = address[place + 1]; });
    box.closest("section").scrollIntoView();
    show(form);
  }
  const target = document.getElementById(address.join("/"));
  if (target?.tagName === "DETAILS") target.open = true;
}
addEventListener("hashchange", follow);
follow();
