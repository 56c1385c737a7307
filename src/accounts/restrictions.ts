// What the network's notices say about a business's right to send, and what each restriction refuses.

/** What a restriction refuses. */
type Refused = 'everything' | 'templates outside windows' | 'replies' | 'utility templates' | 'nothing';

/** Every restriction by the network's name, the strictest first: what it refuses, and what it means. */
const RESTRICTIONS = {
  DISABLE: ['everything', 'the business account was disabled by the network'],
  ACCOUNT_DELETED: ['everything', 'the business account was deleted on the network'],
  ACCOUNT_OFFBOARDED: ['everything', 'the phone has left the platform of the network'],
  PARTNER_APP_UNINSTALLED: ['everything', 'the app was uninstalled from the business account'],
  PARTNER_REMOVED: ['everything', 'the business account no longer shares its access'],
  RESTRICTED_BIZ_INITIATED_MESSAGING: [
    'templates outside windows',
    'the network refuses templates to contacts without an open service window',
  ],
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: ['replies', 'the network refuses replies'],
  RESTRICTED_UTILITY_TEMPLATES: [
    'utility templates',
    'the network refuses utility templates, because some were not about utility',
  ],
  RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING: [
    'utility templates',
    'the network limits utility templates, because some were not about utility',
  ],
  SCHEDULE_FOR_DISABLE: ['nothing', 'the network is going to disable the business account'],
} as const satisfies Readonly<Record<string, readonly [Refused, meaning: string]>>;

export type RestrictionType = keyof typeof RESTRICTIONS;
/** The strictest first. */
export const RESTRICTION_TYPES = Object.keys(RESTRICTIONS) as RestrictionType[];

/** A restriction in force. */
export interface Restriction {
  readonly type: RestrictionType;
  /** What it means, in words, with what the network said about it. */
  readonly reason: string;
  /** When it ends by itself; null: only the network can lift it. */
  readonly until: Date | null;
}

/** What the network last said about one type of restriction. JSON-safe. */
export interface StoredRestriction {
  readonly isInForce: boolean;
  /** When it ends by itself, in unix seconds; null if it does not. */
  readonly until: number | null;
  /** What the network added in words; null for nothing. */
  readonly detail: string | null;
  /** When the network said so, in unix seconds. */
  readonly toldAt: number;
}

/** What the network has said about a business so far; a type that was lifted stays, with the time of its end. */
export type StoredRestrictions = Readonly<Partial<Record<RestrictionType, StoredRestriction>>>;

/** The restrictions of a business that hold at a time, the strictest first. */
export function inForce(stored: StoredRestrictions, at: Date): Restriction[] {
  return RESTRICTION_TYPES.flatMap((type) => {
    const { isInForce, until: seconds = null, detail } = stored[type] ?? { isInForce: false };
    const until = seconds === null ? null : new Date(seconds * 1000);
    if (!isInForce || (until !== null && until <= at)) return [];
    return [{ type, reason: [RESTRICTIONS[type][1], detail ?? ''].filter(Boolean).join(': '), until }];
  });
}

/** A message that is about to be sent. */
export interface RestrictedMessage {
  /** The category of its template; null for a reply, which has none. */
  readonly category: string | null;
  /** Whether the contact has an open service window with the phone. */
  readonly isWindowOpen: boolean;
}

/** The restriction that refuses a message, of several the one that ends last; null: it may go. */
export function refusing(restrictions: readonly Restriction[], message: RestrictedMessage): Restriction | null {
  const refusals = restrictions.filter(({ type }) => refuses(RESTRICTIONS[type][0], message));
  return refusals.reduce<Restriction | null>(
    (last, each) => (last === null || endsAfter(each, last) ? each : last),
    null,
  );
}

/** The restriction under which nothing at all may be sent; null: something may. */
export const blocking = (restrictions: readonly Restriction[]): Restriction | null =>
  restrictions.find(({ type }) => RESTRICTIONS[type][0] === 'everything') ?? null;

/** Whether any of them refuses some message. */
export const refusesSome = (restrictions: readonly Restriction[]): boolean =>
  restrictions.some(({ type }) => RESTRICTIONS[type][0] !== 'nothing');

function refuses(refused: Refused, { category, isWindowOpen }: RestrictedMessage): boolean {
  switch (refused) {
    case 'everything':
      return true;
    case 'templates outside windows':
      return category !== null && !isWindowOpen;
    case 'replies':
      return category === null;
    case 'utility templates':
      return category === 'UTILITY';
    case 'nothing':
      return false;
  }
}

const endsAfter = (one: Restriction, other: Restriction): boolean =>
  other.until !== null && (one.until === null || one.until > other.until);
