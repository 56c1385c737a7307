import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { now } from '../values/clock.js';
import { Passwords } from './passwords.js';
import { PasswordsBusy, triesBlocked } from './sessions.errors.js';
import {
  type Candidate,
  countNamesakes,
  forgetTries,
  type KnownAt,
  returnTry,
  takeTry,
  triesAt,
  triesWith,
} from './sign-in.queries.js';

/** Whose password may be meant. */
type Meant = Pick<Candidate, 'userId' | 'passwordHash'> & KnownAt;

/** Attempts that are counted together, and those whose passwords they are compared with. */
interface Counter<User> {
  readonly tries: string;
  readonly users: readonly User[];
  /** Whether it counts one user alone, at an address from which they have signed in. */
  readonly isOwn: boolean;
}

/** An attempt that has been counted. */
export interface Attempt<User> {
  readonly email: string;
  readonly at: Date;
  /** Those that allow it. */
  readonly counters: readonly Counter<User>[];
  /** Seconds until all others allow one; null: there are none. */
  readonly waitSeconds: number | null;
}

/** Compares passwords, and makes whoever guesses wait. */
@Injectable()
export class PasswordTries {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Counts an attempt as a failure, before it is known. Users whose counter makes them wait take no part in it.
   *
   * @param users all who may be meant
   * @throws DomainError 429 when all have to wait
   */
  async take<User extends Meant>(
    email: string,
    users: readonly User[],
    address: string | null,
  ): Promise<Attempt<User>> {
    const at = now();
    const counters: Counter<User>[] = [];
    const waits: number[] = [];
    for (const counter of countersOf(email, users, address)) {
      const seconds = await takeTry(counter.tries, at, this.unitOfWork.autocommit);
      if (seconds === null) counters.push(counter);
      else waits.push(seconds);
    }
    const waitSeconds = waits.length === 0 ? null : Math.max(...waits);
    if (waitSeconds !== null && counters.length === 0) throw triesBlocked(waitSeconds);
    return { email, at, counters, waitSeconds };
  }

  /**
   * Whose password it is.
   *
   * @param whose whose turn it takes
   * @throws DomainError 503 when too many others wait; the attempt does not count then
   */
  async compare<User extends Meant>(attempt: Attempt<User>, password: string, whose: string): Promise<User[]> {
    const users = attempt.counters.flatMap((counter) => counter.users);
    const matching: User[] = [];
    try {
      for (const user of users) {
        if (await this.passwords.matches(password, user.passwordHash, whose)) matching.push(user);
      }
      if (users.length === 0) await this.passwords.matches(password, null, whose);
    } catch (error) {
      if (error instanceof PasswordsBusy) {
        for (const { tries } of attempt.counters) await returnTry(tries, attempt.at, this.unitOfWork.autocommit);
      }
      throw error;
    }
    return matching;
  }

  /** Forgets an attempt that has succeeded, and the failures before it. */
  async forget<User extends Meant>({ email, at, counters }: Attempt<User>, matching: readonly User[]): Promise<void> {
    const { autocommit } = this.unitOfWork;
    for (const { tries, users, isOwn } of counters) {
      // Somebody else with the address may not take back the failures about this one.
      const isTheirs = isOwn
        ? users.some((user) => matching.includes(user))
        : (await countNamesakes(email, autocommit)) <= 1;
      if (isTheirs) await forgetTries(tries, autocommit);
      else await returnTry(tries, at, autocommit);
    }
  }
}

/**
 * Where an attempt counts: for each user at an address from which they have signed in apart, so that nobody else can make
 * them wait there; for all others with the e-mail address, and for nobody, together. A namesake who has signed in from the
 * address does not make it known for the others.
 */
function countersOf<User extends Meant>(
  email: string,
  users: readonly User[],
  address: string | null,
): Counter<User>[] {
  const [known, others] = [users.filter(({ isKnown }) => isKnown), users.filter(({ isKnown }) => !isKnown)];
  const counters = known.map((user) => ({ tries: triesAt(user.userId, address), users: [user], isOwn: true }));
  if (known.length > 0 && others.length === 0) return counters;
  return [...counters, { tries: triesWith(email), users: others, isOwn: false }];
}
