import {
  blocking,
  inForce,
  type RestrictionType,
  refusesSome,
  refusing,
  type StoredRestrictions,
} from './restrictions.js';

const AT = new Date('2030-01-15T12:00:00Z');
const seconds = (minutes: number): number => AT.getTime() / 1000 + minutes * 60;
const told = (isInForce: boolean, until: number | null = null, detail: string | null = null) => ({
  isInForce,
  until,
  detail,
  toldAt: seconds(-10),
});
const inForceNow = (...types: RestrictionType[]) =>
  inForce(Object.fromEntries(types.map((type) => [type, told(true)])) as StoredRestrictions, AT);

describe('restrictions', () => {
  it('are in force until they are lifted or end, the strictest first', () => {
    const stored: StoredRestrictions = {
      RESTRICTED_UTILITY_TEMPLATES: told(true, seconds(0)),
      RESTRICTED_CUSTOMER_INITIATED_MESSAGING: told(true, seconds(1), 'appeal at once'),
      RESTRICTED_BIZ_INITIATED_MESSAGING: told(true),
      DISABLE: told(false),
    };
    expect(inForce(stored, AT)).toEqual([
      {
        type: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
        reason: 'the network refuses templates to contacts without an open service window',
        until: null,
      },
      {
        type: 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
        reason: 'the network refuses replies: appeal at once',
        until: new Date(AT.getTime() + 60_000),
      },
    ]);
    expect(inForce({}, AT)).toEqual([]);
  });

  const MESSAGES = {
    reply: { category: null, isWindowOpen: true },
    marketing: { category: 'MARKETING', isWindowOpen: false },
    marketingInWindow: { category: 'MARKETING', isWindowOpen: true },
    utility: { category: 'UTILITY', isWindowOpen: false },
    utilityInWindow: { category: 'UTILITY', isWindowOpen: true },
  };
  const ALL = Object.keys(MESSAGES);

  it.each<[RestrictionType, readonly string[]]>([
    ['DISABLE', ALL],
    ['ACCOUNT_DELETED', ALL],
    ['ACCOUNT_OFFBOARDED', ALL],
    ['PARTNER_APP_UNINSTALLED', ALL],
    ['PARTNER_REMOVED', ALL],
    ['RESTRICTED_BIZ_INITIATED_MESSAGING', ['marketing', 'utility']],
    ['RESTRICTED_CUSTOMER_INITIATED_MESSAGING', ['reply']],
    ['RESTRICTED_UTILITY_TEMPLATES', ['utility', 'utilityInWindow']],
    ['RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING', ['utility', 'utilityInWindow']],
    ['SCHEDULE_FOR_DISABLE', []],
  ])('%s refuses %j', (type, refused) => {
    const restrictions = inForceNow(type);
    const found = Object.entries(MESSAGES).flatMap(([name, message]) =>
      refusing(restrictions, message) === null ? [] : [name],
    );
    expect(found).toEqual(refused);
    expect(refusesSome(restrictions)).toBe(refused.length > 0);
    expect(blocking(restrictions) !== null).toBe(refused === ALL);
  });

  it('refuse together, and the one that ends last counts', () => {
    const both = inForce(
      {
        RESTRICTED_BIZ_INITIATED_MESSAGING: told(true, seconds(1)),
        RESTRICTED_UTILITY_TEMPLATES: told(true, seconds(2)),
      },
      AT,
    );
    expect(refusing(both, MESSAGES.utility)).toMatchObject({ type: 'RESTRICTED_UTILITY_TEMPLATES' });
    expect(refusing(both, MESSAGES.marketing)).toMatchObject({ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' });
    expect(refusing(both, MESSAGES.marketingInWindow)).toBeNull();
    expect(
      refusing(inForceNow('RESTRICTED_UTILITY_TEMPLATES', 'RESTRICTED_BIZ_INITIATED_MESSAGING'), MESSAGES.reply),
    ).toBeNull();
  });
});
