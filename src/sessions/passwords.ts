import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { badRequest } from '../errors/domain-error.js';
import { characters } from '../http/field-rules.js';
import { SECOND } from '../values/clock.js';
import { PasswordsBusy } from './sessions.errors.js';
import { Turns } from './turns.js';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 128;
/** 19 MiB, two rounds, one lane: what OWASP recommends for argon2id. */
const COST = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Computations at once in this process; each takes a processor for some 50 ms. */
const AT_ONCE = 2;
/** How long a computation waits for those before it, milliseconds. */
const MAX_WAIT_MS = 5 * SECOND;

/** Compared with when nobody has the address, so that the answer takes as long. Nobody knows its password. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$D4gVCiupUOxyavZ5omAZ/g$kzlPJDsdEPBEqmdzpMACokvYBMiKA0j+jXK39+ndc/c';

/** Keyboards of some systems write accents as characters of their own: the same password is the same everywhere. */
const composed = (password: string): string => password.normalize('NFC');

/** Hashes and compares passwords, a few at a time. */
@Injectable()
export class Passwords {
  private readonly turns = new Turns(AT_ONCE, MAX_WAIT_MS, () => new PasswordsBusy());

  /**
   * @param whose whose turn it takes, e.g. what the failures of an IP address count for
   * @throws DomainError 503 when too many others wait
   */
  hash(password: string, whose: string): Promise<string> {
    return this.turns.run(whose, () => hash(composed(password), COST));
  }

  /**
   * @param stored null: nobody has it, and it takes as long
   * @throws DomainError as {@link hash}
   */
  async matches(password: string, stored: string | null, whose: string): Promise<boolean> {
    const isRight = await this.turns.run(whose, () => verify(stored ?? NOBODY, composed(password)));
    return isRight && stored !== null;
  }
}

/**
 * @param email of whoever will use it
 * @throws DomainError 400 unless the password may be used; the message does not show it
 */
export function checkPassword(field: string, password: string, email: string): void {
  const length = characters(composed(password));
  if (length < MIN_CHARACTERS)
    throw badRequest(`${field} must have at least ${MIN_CHARACTERS} characters (got ${length})`);
  if (length > MAX_CHARACTERS)
    throw badRequest(`${field} must have at most ${MAX_CHARACTERS} characters (got ${length})`);
  const folded = password.toLowerCase();
  if (folded.includes(email.toLowerCase())) throw badRequest(`${field} must not contain your e-mail address`);
  if (commonPasswords().has(folded))
    throw badRequest(`${field} is one of the most common passwords; choose another one`);
}

let common: ReadonlySet<string> | undefined;

/** The most common passwords, read when first needed. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    (createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json') as readonly string[]).filter(
      (password) => password.length >= MIN_CHARACTERS,
    ),
  );
  return common;
}
