interface ProgressBarProps {
  readonly value: number;
  readonly max: number;
  /** By default it goes on by itself; a person is needed where it is `paused` or has `failed`. */
  readonly tone?: 'going' | 'paused' | 'failed' | 'ended';
  /** What it says to those who don’t see it: “6,214 of 9,640 people sent to”. */
  readonly label: string;
}

/** How much of something is done. Its figures stand beside it. */
export function ProgressBar({ value, max, tone = 'going', label }: ProgressBarProps) {
  const share = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0;
  return (
    <svg class={`meter ${tone}`} role="img" aria-label={label}>
      <rect class="rest" width="100%" height="100%" rx="3" />
      {share > 0 && <rect class="done" width={`${share * 100}%`} height="100%" rx="3" />}
    </svg>
  );
}
