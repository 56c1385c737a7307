import { randomBytes } from 'node:crypto';
import { isCustomerNumber, numberWithUserId, userIdOf } from '../callbacks/user-ids.js';
import { AppendLog } from '../control/append-log.js';
import type { Behaviour } from '../control/behaviour.js';
import { ControlError } from '../control/control-error.js';
import { asciiJson } from '../json-object.js';
import { spelledBy } from './spelling-rules.js';

/** A line of the file. `wa_id` is always in the network's spelling. */
type Line =
  | { number: string; wa_id: string }
  | { wa_id: string; user_id: string; has_left?: boolean }
  | { user_id: string; successor: string };

/** A person as the network names one. */
export interface Person {
  /** The number in the network's spelling. */
  waId: string;
  userId: string;
}

/** A user id that nobody has had yet, of the same country as `userId`. */
const freshUserId = (userId: string): string =>
  `${userId.slice(0, 3)}${randomBytes(8).readBigUInt64BE().toString().padStart(20, '0')}`;

/**
 * How the network names people: the spelling of each number, the user ids, and who has changed either. Numbers have the
 * user id of `userIdOf` until they get another one. Also remembers with which business phones each person has talked.
 */
export class People {
  private readonly spellings = new Map<string, string>();
  /** User ids that differ from the usual ones, by `wa_id` and the other way round. */
  private readonly userIds = new Map<string, string>();
  private readonly owners = new Map<string, string>();
  /** Numbers whose person has moved to another one. */
  private readonly left = new Set<string>();
  /** For each user id that is no longer valid, the one that replaced it. */
  private readonly successors = new Map<string, string>();
  /** The business phones with which a person has talked, by user id; a single one is not in an array, to save memory. */
  private readonly phones = new Map<string, string | readonly string[]>();
  private log: AppendLog;

  private constructor(private readonly behaviour: Behaviour) {}

  static open(path: string, behaviour: Behaviour): People {
    const people = new People(behaviour);
    people.log = AppendLog.open(path, (line) => people.apply(JSON.parse(line)));
    return people;
  }

  /** The network's spelling of a number: its own if it has one, else by the rules in the behaviour. */
  waIdOf(number: string): string {
    const countries = this.behaviour.settings.wa_id_rules;
    return this.spellings.get(number) ?? (countries.length === 0 ? number : spelledBy(countries, number));
  }

  userIdOf(waId: string): string {
    return this.userIds.get(waId) ?? userIdOf(waId);
  }

  /** Whether the number has another user id than the usual one. */
  hasOwnUserId(waId: string): boolean {
    return this.userIds.has(waId);
  }

  /** The `wa_id` of the person with this user id; undefined if nobody has it, or a person whose number is unknown. */
  waIdOfUser(userId: string): string | undefined {
    const usual = numberWithUserId(userId);
    return this.owners.get(userId) ?? (usual !== null && this.userIdOf(usual) === userId ? usual : undefined);
  }

  /** Whether the person with this number has moved to another one, and nobody has written from it since. */
  hasLeft(waId: string): boolean {
    return this.left.has(waId);
  }

  /** Whether the person has talked with the business, and the user id is still valid. */
  knows(userId: string): boolean {
    return this.phones.has(userId);
  }

  /** The business phones with which the person has talked, in order of their first message. */
  phonesOf(userId: string): readonly string[] {
    const phones = this.phones.get(userId) ?? [];
    return typeof phones === 'string' ? [phones] : phones;
  }

  /** Records that the person has talked with a business phone. A replaced user id counts as its successor. */
  meet(userId: string, phoneNumberId: string): void {
    let current = userId;
    for (let next = this.successors.get(current); next !== undefined; next = this.successors.get(current)) {
      current = next;
    }
    const known = this.phones.get(current);
    if (known === phoneNumberId || (this.left.size > 0 && this.left.has(this.owners.get(current) ?? ''))) return;
    if (known === undefined) this.phones.set(current, phoneNumberId);
    else if (!this.phonesOf(current).includes(phoneNumberId)) {
      this.phones.set(current, [...this.phonesOf(current), phoneNumberId]);
    }
  }

  /** Gives the number back to somebody who writes from it after its person has left. */
  async takeOver(waId: string): Promise<void> {
    if (this.left.has(waId)) await this.keep({ wa_id: waId, user_id: this.userIdOf(waId) });
  }

  /** Sets the network's spelling of a number. */
  async spell(number: string, waId: string): Promise<void> {
    await this.keep({ number, wa_id: waId });
    // The spelling itself must not be rewritten again.
    if (number !== waId) await this.keep({ number: waId, wa_id: waId });
  }

  /** Sets the user id of a number; the former one is no longer valid. */
  async setUserId(waId: string, userId: string): Promise<void> {
    const owner = this.waIdOfUser(userId);
    if (owner !== undefined && owner !== waId) throw new ControlError(`user_id: ${userId} belongs to ${owner}`);
    const former = this.userIdOf(waId);
    await this.keep({ wa_id: waId, user_id: userId });
    if (former !== userId) await this.keep({ user_id: former, successor: userId });
  }

  /** Moves a person to another number, with another user id; the old number belongs to nobody. */
  async changeNumber({ waId, userId }: Person, newWaId: string): Promise<Person> {
    const usual = this.userIdOf(newWaId);
    const successor = this.knows(usual) || this.successors.has(usual) ? freshUserId(userId) : usual;
    await this.keep({ wa_id: waId, user_id: freshUserId(userId), has_left: true });
    await this.setUserId(newWaId, successor);
    await this.keep({ user_id: userId, successor });
    return { waId: newWaId, userId: successor };
  }

  /** Gives a person another user id: `given`, or a random one. Returns it. */
  async changeUserId(userId: string, given?: string): Promise<string> {
    const waId = this.waIdOfUser(userId);
    const successor = given ?? freshUserId(userId);
    if (successor === userId || this.knows(successor) || this.successors.has(successor))
      throw new ControlError(`to: the user id ${successor} has been used`);
    if (waId === undefined) await this.keep({ user_id: userId, successor });
    else await this.setUserId(waId, successor);
    return successor;
  }

  reset(): void {
    for (const memory of [this.spellings, this.userIds, this.owners, this.left, this.successors, this.phones]) {
      memory.clear();
    }
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  private async keep(line: Line): Promise<void> {
    this.apply(line);
    await this.log.append(asciiJson(line));
  }

  private apply(line: Line): void {
    if ('number' in line) this.spellings.set(line.number, line.wa_id);
    else if ('successor' in line) this.replace(line.user_id, line.successor);
    else {
      const former = this.userIds.get(line.wa_id);
      if (former !== undefined) this.owners.delete(former);
      this.userIds.set(line.wa_id, line.user_id);
      this.owners.set(line.user_id, line.wa_id);
      if (line.has_left) this.left.add(line.wa_id);
      else this.left.delete(line.wa_id);
    }
  }

  private replace(userId: string, successor: string): void {
    const phones = this.phonesOf(userId);
    this.phones.delete(userId);
    this.successors.set(userId, successor);
    // Otherwise an id that comes back would be its own successor.
    this.successors.delete(successor);
    for (const phone of phones) this.meet(successor, phone);
  }
}

/** Reads a number that a caller of `/_sim/` gives. */
export function customerNumber(name: string, value: unknown): string {
  if (isCustomerNumber(value)) return value;
  throw new ControlError(`${name} must be a customer's number, digits only`);
}
