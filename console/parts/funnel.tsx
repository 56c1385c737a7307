import { count } from '../words/numbers.js';
import { FUNNEL_HEIGHT, FUNNEL_WIDTH, type FunnelFigure, funnelShape } from './funnel-shape.js';

interface FunnelProps {
  readonly steps: readonly FunnelFigure[];
  /** Called when a step is followed. */
  readonly onFollow: () => void;
}

/** How many got how far: steps that shrink from the first to the last, each a link. */
export function Funnel({ steps, onFollow }: FunnelProps) {
  const whole = Math.max(steps[0]?.value ?? 0, 1);
  return (
    <div class="funnel">
      <ol>
        {steps.map(({ label, value, share, href, isChosen }, index) => (
          <li key={label}>
            <a href={href} aria-current={isChosen ? 'true' : undefined} onClick={onFollow}>
              <span class="label">{label}</span> <span class="n">{count(value)}</span>{' '}
              <span class="share">{share}</span>
            </a>
            <svg class="bar meter" aria-hidden="true">
              <rect class="rest" width="100%" height="100%" rx="4" />
              {value > 0 && (
                <rect class={`c${Math.max(index, 1)}`} width={`${(value / whole) * 100}%`} height="100%" rx="4" />
              )}
            </svg>
          </li>
        ))}
      </ol>
      <svg class="shape" viewBox={`0 0 ${FUNNEL_WIDTH} ${FUNNEL_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {funnelShape(steps.map(({ value }) => value)).map(({ column, bridge }, index) => (
          <g key={steps[index]?.label}>
            {bridge !== null && <path class={`bridge c${index + 1}`} d={bridge} />}
            <path class={`c${index}`} d={column} />
          </g>
        ))}
      </svg>
    </div>
  );
}
