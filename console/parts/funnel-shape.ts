/** The box in which the shape is drawn. */
export const FUNNEL_WIDTH = 1000;
export const FUNNEL_HEIGHT = 100;
/** Room above the first column. */
const TOP = 4;
/** The part of a column that is level; in the rest it passes into the next one. */
const LEVEL = 0.62;
/** The least height of what there is. */
const MIN_HEIGHT = 1;

/** One step of a funnel as it is shown. */
export interface FunnelFigure {
  readonly label: string;
  readonly value: number;
  /** Its share of the step before, in words. */
  readonly share: string;
  /** Leads to the rows behind the figure. */
  readonly href: string;
  readonly isChosen: boolean;
}

/** The outline of one step: its column, and how it passes into the next one. */
export interface FunnelStep {
  readonly column: string;
  /** Null behind the last one. */
  readonly bridge: string | null;
}

const places = (value: number): string => String(Math.round(value * 10) / 10);

/** The outlines of steps that follow each other, each as high as its share of the first one. */
export function funnelShape(values: readonly number[]): FunnelStep[] {
  const whole = Math.max(values[0] ?? 0, 1);
  const width = FUNNEL_WIDTH / values.length;
  const top = (value: number): string => {
    const height = Math.min(value / whole, 1) * (FUNNEL_HEIGHT - TOP);
    return places(FUNNEL_HEIGHT - (value > 0 ? Math.max(height, MIN_HEIGHT) : 0));
  };
  return values.map((value, index) => {
    const [from, end] = [index * width, (index + 1) * width];
    const next = values[index + 1];
    const level = next === undefined ? end : from + width * LEVEL;
    const column = `M${places(from)} ${FUNNEL_HEIGHT}V${top(value)}H${places(level)}V${FUNNEL_HEIGHT}z`;
    if (next === undefined) return { column, bridge: null };
    const middle = places((level + end) / 2);
    const curve = `C${middle} ${top(value)} ${middle} ${top(next)} ${places(end)} ${top(next)}`;
    return { column, bridge: `M${places(level)} ${top(value)}${curve}V${FUNNEL_HEIGHT}H${places(level)}z` };
  });
}
