import { DAY, SECOND } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import { GraphError } from '../graph-error.js';
import { asciiJson } from '../json-object.js';
import type { CheckedSend } from '../messages/checked-send.js';
import type { ServiceWindows } from '../messages/service-windows.js';
import type { Restriction, RestrictionType } from './restriction-kinds.js';

/** The restrictions after which an account does not exist for us any more. */
const GONE: readonly RestrictionType[] = ['ACCOUNT_DELETED', 'PARTNER_REMOVED', 'PARTNER_APP_UNINSTALLED'];

type Line = Restriction & { lifted?: boolean };

const keyOf = ({ waba_id, type }: Pick<Restriction, 'waba_id' | 'type'>): string => `${waba_id}:${type}`;

/** Which business accounts are restricted in what way, and what is refused because of that. Survives a restart. */
export class AccountRestrictions {
  private readonly restrictions = new Map<string, Restriction>();
  /** When each limited account sent utility templates (ms since the epoch). */
  private readonly utility = new Map<string, number[]>();
  private log: AppendLog;

  private constructor(private readonly windows: ServiceWindows) {}

  static open(path: string, windows: ServiceWindows): AccountRestrictions {
    const restrictions = new AccountRestrictions(windows);
    restrictions.log = AppendLog.open(path, (line) => restrictions.apply(JSON.parse(line)));
    return restrictions;
  }

  async impose(restriction: Restriction): Promise<void> {
    await this.keep(restriction);
  }

  async lift(restriction: Restriction): Promise<void> {
    await this.keep({ ...restriction, lifted: true });
  }

  ofAccount(wabaId: string): Restriction[] {
    return [...this.restrictions.values()].filter(({ waba_id }) => waba_id === wabaId);
  }

  /** @throws GraphError if the account, and all that belongs to it, is no longer ours; `id` is what the call names */
  checkAccess(wabaId: string, id: string): void {
    if (this.restrictions.size > 0 && GONE.some((type) => this.inForce(wabaId, type)))
      throw GraphError.unknownObject(id);
  }

  /** @throws GraphError for a new UTILITY template of an account that may have none */
  checkTemplate(wabaId: string, category: unknown): void {
    if (category !== 'UTILITY' || !this.inForce(wabaId, 'RESTRICTED_UTILITY_TEMPLATES')) return;
    throw new GraphError(100, 'This account cannot create UTILITY templates: others were misfiled', {
      subcode: 2388299,
    });
  }

  /** @throws GraphError for a message that a restriction forbids */
  checkSend({ phone, addressee, template }: CheckedSend): void {
    if (this.restrictions.size === 0) return;
    const { waba_id: account, phone_number_id: id } = phone;
    if (this.isBanned(account)) throw new GraphError(131031, 'Business Account has been locked');
    if (this.inForce(account, 'ACCOUNT_OFFBOARDED')) {
      throw new GraphError(133010, 'The phone number left the platform together with its business account');
    }
    const isReply = this.windows.isOpen(id, addressee.userId);
    if (this.inForce(account, `RESTRICTED_${isReply ? 'CUSTOMER' : 'BIZ'}_INITIATED_MESSAGING`)) {
      throw new GraphError(368, `The business account is restricted from ${isReply ? 'replying' : 'starting chats'}`);
    }
    if (template?.category === 'UTILITY') this.takeUtility(account);
  }

  reset(): void {
    this.restrictions.clear();
    this.utility.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  private isBanned(account: string): boolean {
    const scheduled = this.restrictions.get(keyOf({ waba_id: account, type: 'SCHEDULE_FOR_DISABLE' }));
    return this.inForce(account, 'DISABLE') || (scheduled !== undefined && hasPassed(scheduled));
  }

  private inForce(account: string, type: RestrictionType): boolean {
    const restriction = this.restrictions.get(keyOf({ waba_id: account, type }));
    return restriction !== undefined && !hasPassed(restriction);
  }

  private takeUtility(account: string): void {
    const restriction = this.restrictions.get(
      keyOf({ waba_id: account, type: 'RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING' }),
    );
    if (restriction === undefined || hasPassed(restriction)) return;
    const now = Date.now();
    const recent = (this.utility.get(account) ?? []).filter((at) => at > now - DAY);
    if (recent.length >= restriction.limit) {
      throw new GraphError(131064, `No more than ${restriction.limit} utility templates go in 24 hours`);
    }
    this.utility.set(account, [...recent, now]);
  }

  private async keep(line: Line): Promise<void> {
    this.apply(line);
    await this.log.append(asciiJson(line));
  }

  private apply({ lifted, ...restriction }: Line): void {
    if (lifted) this.restrictions.delete(keyOf(restriction));
    else this.restrictions.set(keyOf(restriction), restriction);
  }
}

const hasPassed = ({ expiration }: Restriction): boolean => expiration !== null && expiration * SECOND <= Date.now();
