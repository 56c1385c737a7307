import { count } from '../words/numbers.js';

/** One of several views of a list. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  /** How many rows it has; undefined until that is known. */
  readonly count?: number | undefined;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Links to the views of a list, each with the number of its rows. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, label: name, count: number, href, isCurrent }) => (
        <a key={id} href={href} aria-current={isCurrent ? 'true' : undefined}>
          {name} {number !== undefined && <span class="num">{count(number)}</span>}
        </a>
      ))}
    </nav>
  );
}
