"use strict";
// The page is complete without this script. It adds the values of curves under the pointer, curves that a click hides, tables
// that a click sorts, the number of verdicts that the filters leave, and printed copies with all details unfolded.

(() => {
  const place = (value, [, scale, low, high]) =>
    scale === "log"
      ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
      : (value - low) / (high - low);
  const inverse = (share, [, scale, low, high]) =>
    scale === "log" ? low * (high / low) ** share : low + share * (high - low);
  const short = (value) =>
    Math.abs(value) >= 10000 || Number.isInteger(value)
      ? value.toLocaleString("en", { maximumSignificantDigits: 8, maximumFractionDigits: 0 })
      : value.toPrecision(3).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  const make = (tag, name, parent, text) => {
    const element = document.createElement(tag);
    element.className = name;
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  const nearest = (curve, x, axis) => {
    const wanted = place(x, axis);
    let best = -1, least = Infinity;
    curve.x.forEach((value, i) => {
      const away = Math.abs(place(value, axis) - wanted);
      if (away < least) [best, least] = [i, away];
    });
    return best;
  };

  const tip = make("div", "tip", document.body);
  let layer = make("div", "layer", document.body);
  const leave = () => { layer.hidden = tip.hidden = true };
  leave();
  addEventListener("scroll", leave, { passive: true, capture: true });
  addEventListener("pointerdown", (event) => event.target.closest?.(".plot") || leave());

  // Draws the curves that are left over those of the picture, from their values: lines and bands, without markers.
  const shape = (tag, attributes, parent) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    parent.append(element);
    return element;
  };
  const redraw = (plot, axes, hidden) => {
    plot.querySelector(".redrawn")?.remove();
    const colours = new Set(axes.flatMap((ax) => ax.curves).filter((c) => !hidden.has(c.label)).map((c) => c.colour));
    for (const circle of plot.querySelectorAll("circle")) circle.style.display = colours.has(circle.getAttribute("stroke")) ? "" : "none";
    if (!hidden.size) return;
    const image = plot.querySelector("img");
    const [wide, high] = [image.getAttribute("width"), image.getAttribute("height")];
    const drawing = shape("svg", { class: "redrawn", viewBox: `0 0 ${wide} ${high}` }, plot);
    image.after(drawing);
    for (const ax of axes) {
      const [left, top, width, height] = ax.box.map((share, i) => share * (i % 2 ? high : wide));
      const inside = shape("svg", { x: left, y: top, width, height }, drawing);
      shape("rect", { width, height, fill: "#fff", stroke: "#ccc", "stroke-width": 4 }, inside);
      const at = (x, y) => {
        const up = place(y, ax.y); // of 0 on a logarithmic axis: -Infinity
        return `${(width * place(x, ax.x)).toFixed(1)},${(height * (1 - Math.max(-1, Math.min(2, up)))).toFixed(1)}`;
      };
      for (const curve of ax.curves.filter((c) => !hidden.has(c.label))) {
        const rise = (x, low, high) => (curve.steps ? [at(x, low), at(x, high)] : [at(x, high)]);
        const side = (values) => curve.x.flatMap((x, i) => rise(x, values[i - 1] ?? 0, values[i]));
        if (curve.low) shape("polygon", { points: [...side(curve.high), ...side(curve.low).reverse()].join(" "), fill: curve.colour, opacity: 0.18 }, inside);
        shape("polyline", { points: side(curve.y).join(" "), stroke: curve.colour, fill: "none", "stroke-width": 3.5, "stroke-dasharray": (curve.dash ?? []).map((part) => 3.5 * part).join(" ") }, inside);
      }
    }
  };

  for (const plot of document.querySelectorAll(".plot[data-geometry]")) {
    let axes;
    const read = () => axes ??= JSON.parse(document.getElementById(plot.dataset.geometry).textContent);
    const hidden = new Set();
    const legend = plot.closest("figure").querySelector(".legend");
    if (legend) {
      legend.hidden = false;
      legend.addEventListener("click", ({ target }) => {
        if (!target.matches("button")) return;
        const isShown = target.getAttribute("aria-pressed") === "true";
        target.setAttribute("aria-pressed", !isShown);
        hidden[isShown ? "add" : "delete"](target.textContent);
        redraw(plot, read(), hidden);
      });
    }
    const show = (event) => {
      read();
      if (layer.parentElement !== plot) plot.append(layer);
      const frame = plot.getBoundingClientRect();
      const across = (event.clientX - frame.left) / frame.width;
      const down = (event.clientY - frame.top) / frame.height;
      const ax = axes.find(({ box: [left, top, width, height] }) =>
        across >= left && across <= left + width && down >= top && down <= top + height);
      if (!ax) return leave();
      const [left, top, width, height] = ax.box;
      const x = inverse(ax.flat ? 1 - (down - top) / height : (across - left) / width, ax.x);
      const rows = ax.curves
        .filter((curve) => !hidden.has(curve.label))
        .map((curve) => ({ curve, i: nearest(curve, x, ax.x) }))
        .filter(({ i }) => i >= 0)
        .map(({ curve, i }) => ({
          label: curve.label, colour: curve.colours?.[i] ?? curve.colour,
          x: curve.x[i], y: curve.y[i], low: curve.low?.[i], high: curve.high?.[i],
          at: ax.flat
            ? [left + width * place(curve.y[i], ax.y), top + height * (1 - place(curve.x[i], ax.x))]
            : [left + width * place(curve.x[i], ax.x), top + height * (1 - place(curve.y[i], ax.y))],
        }));
      if (!rows.length) return leave();
      const away = (row) => Math.hypot((row.at[0] - across) * frame.width, (row.at[1] - down) * frame.height);
      const closest = rows.reduce((a, b) => (away(b) < away(a) ? b : a));
      layer.hidden = tip.hidden = false;
      layer.replaceChildren();
      tip.replaceChildren();
      const line = make("i", "line", layer);
      line.style.left = `${closest.at[0] * 100}%`;
      line.style.top = `${top * 100}%`;
      line.style.height = `${height * 100}%`;
      line.hidden = ax.names.length > 0;
      const named = ax.names.find(([at]) => Math.abs(at - closest.x) < 0.5);
      const at = named ? named[1] : short(closest.x);
      make("p", "at", tip, ax.x[0] ? `${ax.x[0]} = ${at}` : at);
      for (const row of rows) {
        if (row.at[1] >= top - 0.01 && row.at[1] <= top + height + 0.01) {
          const dot = make("i", "dot", layer);
          dot.style.left = `${row.at[0] * 100}%`;
          dot.style.top = `${row.at[1] * 100}%`;
          dot.style.background = row.colour;
        }
        const entry = make("p", row === closest ? "near" : "", tip);
        make("i", "key", entry).style.background = row.colour;
        make("span", "label", entry, row.label || ax.y[0]);
        make("b", "", entry, short(row.y));
        make("span", "band", entry, row.low === undefined ? "" : `${short(row.low)} to ${short(row.high)}`);
      }
      const { clientWidth, clientHeight } = document.documentElement;
      const { offsetWidth, offsetHeight } = tip;
      const beside = event.clientX + 18 + offsetWidth <= clientWidth ? event.clientX + 18 : event.clientX - 18 - offsetWidth;
      tip.style.left = `${Math.max(6, Math.min(beside, clientWidth - offsetWidth - 6))}px`;
      tip.style.top = `${Math.max(6, Math.min(event.clientY + 14, clientHeight - offsetHeight - 6))}px`;
    };
    plot.addEventListener("pointermove", show);
    plot.addEventListener("pointerdown", show);
    plot.addEventListener("pointerleave", (event) => event.pointerType === "touch" || leave()); // but not after a touch
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = make("button", "", head, head.textContent);
      head.replaceChildren(button);
      button.type = "button";
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        const value = (row) => row.cells[column].dataset.value;
        const order = (a, b) => {
          const [x, y] = [value(a), value(b)];
          if (x === "" || y === "") return (x === "") - (y === ""); // without a value, last either way
          const numeric = Number(x) - Number(y);
          return (Number.isNaN(numeric) ? x.localeCompare(y) : numeric) * (down ? -1 : 1);
        };
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
      });
    });
  }

  const section = document.getElementById("verdicts");
  const count = () => {
    const rows = [...section.querySelectorAll("tr[data-verdict]")];
    const left = rows.filter((row) => getComputedStyle(row).display !== "none").length;
    document.getElementById("shown-count").textContent = `${left} of ${rows.length} shown`;
  };
  section.addEventListener("change", count);
  count();

  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
})();
