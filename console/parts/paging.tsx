import { searchWith } from '../frame/router.js';
import { words } from '../words/en.js';

interface PagingProps {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** Of all pages. */
  readonly total: number;
  /** What the pages are of. */
  readonly label: string;
}

/** The way to the other pages of a list, whose number is in the address; nothing where there is one page. */
export function Paging({ page, pageSize, total, label }: PagingProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1 && page === 1) return null;
  const { paging } = words;
  const to = (next: number): string => location.pathname + searchWith({ page: next === 1 ? null : String(next) });
  const from = (page - 1) * pageSize + 1;
  return (
    <nav class="paging" aria-label={paging.label(label)}>
      <p class="faint sm num">{page <= last && paging.range(from, Math.min(page * pageSize, total), total)}</p>
      {page > 1 && (
        <a class="btn sm" href={to(Math.min(page - 1, last))}>
          {paging.previous}
        </a>
      )}
      {page < last && (
        <a class="btn sm" href={to(page + 1)}>
          {paging.next}
        </a>
      )}
    </nav>
  );
}
