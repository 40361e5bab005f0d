// Draws grids on canvases. A grid is a list of rows, each a text with one character for each cell.

const CODE = 48;

/** The name and the paint of a cell; a hidden cell has no paint. */
export function colorAt(grid, colors, x, y) {
  return colors[grid[y].charCodeAt(x) - CODE];
}

function stripes(context, left, top, side) {
  context.save();
  context.beginPath();
  context.rect(left, top, side, side);
  context.clip();
  context.fillStyle = "#e8e8e8";
  context.fillRect(left, top, side, side);
  context.strokeStyle = "#6a6a6a";
  context.lineWidth = Math.max(1, side / 10);
  context.beginPath();
  for (let offset = -side; offset < side; offset += side / 3) {
    context.moveTo(left + offset, top + side);
    context.lineTo(left + offset + side, top);
  }
  context.stroke();
  context.restore();
}

function frame(context, x, y, side) {
  for (const [color, width] of [["#000", 5], ["#fff", 3], ["#000", 1]]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.strokeRect(x * side + 0.5, y * side + 0.5, side, side);
  }
}

/** Draw a grid with cells of a side, and a frame around the cell of the cursor if there is one. */
export function draw(canvas, grid, colors, side, cursor = null) {
  const columns = grid[0].length;
  canvas.width = columns * side + 1;
  canvas.height = grid.length * side + 1;
  const context = canvas.getContext("2d");
  context.fillStyle = "#707070";
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (let y = 0; y < grid.length; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const [, paint] = colorAt(grid, colors, x, y);
      if (paint) {
        context.fillStyle = paint;
        context.fillRect(x * side + 1, y * side + 1, side - 1, side - 1);
      } else {
        stripes(context, x * side + 1, y * side + 1, side - 1);
      }
    }
  }
  if (cursor) frame(context, cursor.x, cursor.y, side);
}

/** The cell under the mouse. */
export function cellAt(canvas, grid, event) {
  const box = canvas.getBoundingClientRect();
  const within = (value, least, size, count) =>
    Math.min(count - 1, Math.max(0, Math.floor(((value - least) / size) * count)));
  return {
    x: within(event.clientX, box.left, box.width, grid[0].length),
    y: within(event.clientY, box.top, box.height, grid.length),
  };
}
