import { DAY } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import { GraphError } from '../graph-error.js';
import { asciiJson } from '../json-object.js';
import type { CheckedSend } from '../messages/checked-send.js';
import type { SimulatedPhone } from '../phone-registry.js';

/** Registrations that may be tried in 72 hours. */
const MAX_TRIES = 10;
const TRIES_WINDOW = 3 * DAY;

/** A line of the file: a phone was registered or not, or a person blocked or not. */
interface Line {
  phone: string;
  user?: string;
  on: boolean;
}

/** Which business phones are registered or not, and whom each has blocked. Survives a restart. */
export class PhoneStates {
  /** Whether a call has registered or deregistered a phone. */
  private readonly states = new Map<string, boolean>();
  /** When registrations were tried; forgotten at a restart. */
  private readonly tries = new Map<string, number[]>();
  private readonly blocked = new Map<string, Set<string>>();
  private log: AppendLog;

  static open(path: string): PhoneStates {
    const states = new PhoneStates();
    states.log = AppendLog.open(path, (line) => states.apply(JSON.parse(line)));
    return states;
  }

  async register(phone: string, on: boolean): Promise<void> {
    await this.keep({ phone, on });
  }

  async block(phone: string, user: string, on: boolean): Promise<void> {
    await this.keep({ phone, user, on });
  }

  /** Whether the phone is registered: by a call, or else by its declaration. */
  isRegistered({ phone_number_id, registered = true }: SimulatedPhone): boolean {
    return this.states.get(phone_number_id) ?? registered;
  }

  /** @throws GraphError 133016 after too many tries, 133005 for a wrong PIN */
  checkPin({ phone_number_id, pin: known }: SimulatedPhone, pin: string): void {
    const since = Date.now() - TRIES_WINDOW;
    const tries = (this.tries.get(phone_number_id) ?? []).filter((at) => at > since);
    if (tries.length >= MAX_TRIES) throw new GraphError(133016, 'Registration failed because of too many attempts');
    this.tries.set(phone_number_id, [...tries, Date.now()]);
    if (known !== undefined && known !== pin) throw new GraphError(133005, 'Two-step verification PIN mismatch');
  }

  /** The user ids of the people whom a phone has blocked. */
  blockedBy(phone: string): string[] {
    return [...(this.blocked.get(phone) ?? [])];
  }

  /** @throws GraphError 133010 */
  checkRegistered(phone: SimulatedPhone): void {
    if (!this.isRegistered(phone)) throw new GraphError(133010, 'The phone number is not registered');
  }

  /** @throws GraphError for a message from an unregistered phone, or to a person whom it has blocked */
  checkSend({ phone: sender, addressee }: CheckedSend): void {
    const phone = sender.phone_number_id;
    this.checkRegistered(sender);
    if (this.blocked.get(phone)?.has(addressee.userId))
      throw new GraphError(130403, 'The business has blocked this user');
  }

  reset(): void {
    this.states.clear();
    this.tries.clear();
    this.blocked.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  private async keep(line: Line): Promise<void> {
    this.apply(line);
    await this.log.append(asciiJson(line));
  }

  private apply({ phone, user, on }: Line): void {
    if (user === undefined) {
      this.states.set(phone, on);
      return;
    }
    const members = this.blocked.get(phone) ?? new Set<string>();
    this.blocked.set(phone, members);
    if (on) members.add(user);
    else members.delete(user);
  }
}
