/** How far people got, each step with the later ones. */
export const STEPS = ['sent', 'delivered', 'read', 'clicked', 'replied'] as const;
export type Step = (typeof STEPS)[number];
/** Those who got nowhere. */
export const STANDSTILLS = ['pending', 'failed', 'cancelled'] as const;
export type Standstill = (typeof STANDSTILLS)[number];
export const ORDERS = ['last_activity', 'name'] as const;
export type PeopleOrder = (typeof ORDERS)[number];

/** Which people are shown; null means any, and for the order that of sending. */
export interface PeopleFilter {
  readonly reached: Step | null;
  readonly status: Standstill | null;
  readonly errorCode: number | null;
  readonly search: string | null;
  readonly order: PeopleOrder | null;
  readonly page: number;
}

/** Parameters of an address that choose people. */
export const FILTERS = ['reached', 'status', 'error_code', 'search'] as const;
type Parameter = (typeof FILTERS)[number] | 'order' | 'page';

const MAX_PAGE = 1_000_000;
const WHOLE = /^\d{1,9}$/;

/** The filter of an address; what makes no sense counts as absent. */
export function filterOf(search: URLSearchParams): PeopleFilter {
  const text = (name: Parameter): string | null => search.get(name)?.trim() || null;
  const among = <T extends string>(all: readonly T[], name: Parameter): T | null =>
    all.find((one) => one === text(name)) ?? null;
  const number = (name: Parameter): number | null => (WHOLE.test(text(name) ?? '') ? Number(text(name)) : null);
  const page = number('page') ?? 1;
  return {
    reached: among(STEPS, 'reached'),
    status: among(STANDSTILLS, 'status'),
    errorCode: number('error_code'),
    search: text('search'),
    order: among(ORDERS, 'order'),
    page: Math.min(Math.max(page, 1), MAX_PAGE),
  };
}

/** Changes of an address. */
export type Changes = Readonly<Partial<Record<Parameter, string | null>>>;

const NOBODY_LEFT_OUT: Changes = { reached: null, status: null, error_code: null, page: null };

/** Shows those who got as far, who stand still, or who failed for one reason; a search goes on. */
export const choosing = (choice: Changes): Record<string, string | null> =>
  ({ ...NOBODY_LEFT_OUT, ...choice }) as Record<string, string | null>;

/** Whether the filter leaves anybody out. */
export const isFiltered = ({ reached, status, errorCode, search }: PeopleFilter): boolean =>
  reached !== null || status !== null || errorCode !== null || search !== null;

/** The same for filters that show the same rows. */
export const filterKey = (filter: PeopleFilter): string => JSON.stringify(filter);
