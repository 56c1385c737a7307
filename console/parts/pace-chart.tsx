import { CURVE_HEIGHT, CURVE_WIDTH, curveOf } from './pace-curve.js';

interface PaceChartProps {
  /** Per second, by intervals of the same length. */
  readonly values: readonly number[];
  /** Null for none. */
  readonly limit: number | null;
  /** What it shows, in a sentence. */
  readonly label: string;
  /** What stands under it: where it begins and ends. */
  readonly from: string;
  readonly to: string;
}

/** How fast something went, from zero, under its limit. */
export function PaceChart({ values, limit, label, from, to }: PaceChartProps) {
  const { line, area, limitAt } = curveOf(values, limit);
  return (
    <>
      <svg
        class="spark"
        viewBox={`0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {limitAt !== null && <line class="limit" x1="0" x2={CURVE_WIDTH} y1={limitAt} y2={limitAt} />}
        <path class="area" d={area} />
        <path class="curve" d={line} />
      </svg>
      <p class="axis num" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </>
  );
}
