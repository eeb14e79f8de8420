// Whether something grows: the straight line through measurements, with its error. For tests that run for a long time.

/**
 * The slope of the least-squares line through points, and its standard error.
 * @param {readonly (readonly [x: number, y: number])[]} points three or more
 * @returns {{ slope: number, error: number }}
 */
export function trend(points) {
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  const slope = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread;
  const rest = points.reduce((sum, [at, value]) => sum + (value - y - slope * (at - x)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) };
}

/**
 * Says how a measurement went, and whether it grew: by more than three standard errors, and in all the
 * minutes by more than a tenth of the largest value.
 * @param {string} name with its unit
 * @param {readonly (readonly [minute: number, value: number])[]} points
 * @returns {{ text: string, grew: boolean }}
 */
export function growth(name, points) {
  const { slope, error } = trend(points);
  const values = points.map(([, value]) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [minutes] = points[points.length - 1];
  const text =
    `${name}: ${least.toFixed(1)} to ${most.toFixed(1)}, ` +
    `slope ${slope.toFixed(3)} ± ${error.toFixed(3)} per minute, n ${points.length}`;
  return { text, grew: slope > 3 * error && slope * minutes > most / 10 };
}
