/** The box in which the curve is drawn. */
export const CURVE_WIDTH = 600;
export const CURVE_HEIGHT = 80;
/** Room for the line of the limit. */
const TOP = 6;

/** A curve from zero, with the area under it. */
export interface Curve {
  readonly line: string;
  readonly area: string;
  /** Where the limit is; null without one. */
  readonly limitAt: number | null;
}

const places = (value: number): string => String(Math.round(value * 10) / 10);

/** Draws values of intervals of the same length, each in the middle of its interval. @param limit null for none */
export function curveOf(values: readonly number[], limit: number | null): Curve {
  const most = Math.max(...values, limit ?? 0, Number.MIN_VALUE);
  const height = (value: number): number => CURVE_HEIGHT - (value / most) * (CURVE_HEIGHT - TOP);
  const step = CURVE_WIDTH / Math.max(values.length, 1);
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  const middle = values.map((value, index) => `L${places((index + 0.5) * step)} ${places(height(value))}`).join('');
  const path = `0 ${places(height(first))}${middle}L${CURVE_WIDTH} ${places(height(last))}`;
  return {
    line: `M${path}`,
    area: `M0 ${CURVE_HEIGHT}L${path}V${CURVE_HEIGHT}z`,
    limitAt: limit === null ? null : Math.round(height(limit) * 10) / 10,
  };
}

/** The value in the middle; 0 of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
