/** The icons of the console, drawn once and used by name. */
const ICONS = {
  alert: (
    <>
      <path d="M8 2.7 14.2 13H1.8z" />
      <path d="M8 6.6v3M8 11.3v.1" />
    </>
  ),
  check: <path d="m3.4 8.4 3 3.1 6.1-7" />,
  checks: <path d="m1.6 8.4 3 3.1 6.1-7M7.6 10.6l.9.9 6-7" />,
  campaign: (
    <>
      <path d="M2.3 6.6v2.8a.9.9 0 0 0 .9.9h1.5L12.3 13V3L4.7 5.7H3.2a.9.9 0 0 0-.9.9z" />
      <path d="M5.2 10.5l.9 2.9h1.4M14 6.9v2.2" />
    </>
  ),
  inbox: (
    <>
      <path d="M2.3 9.2 4.2 3h7.6l1.9 6.2v3.1a.7.7 0 0 1-.7.7H3a.7.7 0 0 1-.7-.7z" />
      <path d="M2.5 9.2h3.2a2.3 2.3 0 0 0 4.6 0h3.2" />
    </>
  ),
  clip: (
    <>
      <path d="m12.9 7.4-4.8 4.8a3.1 3.1 0 0 1-4.4-4.4l5-5a2.1 2.1 0 0 1 3 3l-4.9 4.9a1 1 0 0 1-1.5-1.4L9.8 4.8" />
    </>
  ),
  buttons: (
    <>
      <rect x="2.4" y="3" width="11.2" height="4" rx="1.4" />
      <rect x="2.4" y="9" width="11.2" height="4" rx="1.4" />
    </>
  ),
  lock: (
    <>
      <rect x="3.2" y="7" width="9.6" height="6.4" rx="1.4" />
      <path d="M5.4 7V5.2a2.6 2.6 0 0 1 5.2 0V7" />
    </>
  ),
  menu: (
    <>
      <path d="M2.6 4.4h10.8M2.6 8h10.8M2.6 11.6h10.8" />
    </>
  ),
  note: (
    <>
      <path d="M3 3.4h10v6.2L9.6 13H3z" />
      <path d="M13 9.6H9.6V13" />
    </>
  ),
  people: (
    <>
      <circle cx="6" cy="5.6" r="2.4" />
      <path d="M1.8 13c.3-2.5 2-3.8 4.2-3.8s3.9 1.3 4.2 3.8M10.4 3.4a2.4 2.4 0 0 1 0 4.4M12 9.7c1.3.5 2 1.6 2.2 3.3" />
    </>
  ),
  send: (
    <>
      <path d="M8 13V3.2M4 7l4-4 4 4" />
    </>
  ),
  template: (
    <>
      <rect x="2.6" y="2.6" width="10.8" height="10.8" rx="2" />
      <path d="M5.3 5.8h5.4M5.3 8.2h5.4M5.3 10.6h2.8" />
    </>
  ),
  user: (
    <>
      <circle cx="8" cy="5.6" r="2.7" />
      <path d="M3 13.4c.4-2.7 2.4-4 5-4s4.6 1.3 5 4" />
    </>
  ),
  filter: (
    <>
      <path d="M2.4 3.8h11.2M4.4 8h7.2M6.6 12.2h2.8" />
    </>
  ),
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  smile: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M5.6 9.6c1.2 1.6 3.6 1.6 4.8 0M6 6.3v.2M10 6.3v.2" />
    </>
  ),
  plus: <path d="M8 3.2v9.6M3.2 8h9.6" />,
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
  download: <path d="M8 2.6v7.2M4.8 6.8 8 10l3.2-3.2M2.8 13h10.4" />,
  external: (
    <path d="M9.4 3h3.6v3.6M13 3 7.8 8.2M11.2 9.4v2.9a.9.9 0 0 1-.9.9H3.7a.9.9 0 0 1-.9-.9V5.7a.9.9 0 0 1 .9-.9h2.9" />
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M8 7.4v3.4M8 5.2v.1" />
    </>
  ),
  keys: (
    <>
      <rect x="1.8" y="3.8" width="12.4" height="8.4" rx="1.6" />
      <path d="M4.6 6.6h.01M7 6.6h.01M9.4 6.6h.01M11.6 6.6h.01M5.4 9.6h5.2" />
    </>
  ),
  left: <path d="m9.8 4-4 4 4 4" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.2" />,
  pause: <path d="M5.6 3.4v9.2M10.4 3.4v9.2" />,
  play: <path d="m5.2 3.4 7 4.6-7 4.6z" />,
  refresh: <path d="M13 8a5 5 0 1 1-1.6-3.7M13.2 2.6v2.9h-2.9" />,
  reply: <path d="M6.4 4 2.6 7.6l3.8 3.6M2.8 7.6h6.4c2.4 0 4.2 1.3 4.2 4" />,
  right: <path d="m6.2 4 4 4-4 4" />,
  saved: <path d="M4.2 2.8h7.6v10.4L8 10.5l-3.8 2.7z" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.3" />
      <path d="m10.3 10.3 3.2 3.2" />
    </>
  ),
  stop: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="m4 4 8 8" />
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
