/** The icons of the console, drawn once and used by name. */
const ICONS = {
  alert: (
    <>
      <path d="M8 2.7 14.2 13H1.8z" />
      <path d="M8 6.6v3M8 11.3v.1" />
    </>
  ),
  checks: <path d="m1.6 8.4 3 3.1 6.1-7M7.6 10.6l.9.9 6-7" />,
  down: <path d="m4 6.2 4 4 4-4" />,
  settings: (
    <>
      <path d="M2.5 4.8h5.2M11.3 4.8h2.2M2.5 11.2h2.2M8.3 11.2h5.2" />
      <circle cx="9.5" cy="4.8" r="1.7" />
      <circle cx="6.5" cy="11.2" r="1.7" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M8 4.9V8l2.1 1.4" />
    </>
  ),
} as const;

export type IconName = keyof typeof ICONS;

/** The drawings that {@link Icon} refers to; once in a page. */
export function Sprite() {
  return (
    <svg class="sprite" width="0" height="0" aria-hidden="true">
      {Object.entries(ICONS).map(([name, drawing]) => (
        <symbol
          key={name}
          id={`i-${name}`}
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          stroke-linecap="round"
          stroke-linejoin="round"
        >
          {drawing}
        </symbol>
      ))}
    </svg>
  );
}

/** An icon beside a word, which says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="i" aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}

/** Parley’s mark. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path class="a" d="M5 2h14a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3h-6.5L7 22v-4H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3z" />
      <path class="b" d="M6.5 9.1h2v2h-2zM11 7h2v6.2h-2zM15.5 8.2h2v3.8h-2z" />
    </svg>
  );
}
