import { SEALED_COLUMNS } from '../../src/cli/secret.commands.js';
import { holderOf } from '../../src/database/secrets/sealed-column.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { shownOnceBy } from '../../src/http/shown-once.js';
import type { ApiResponse } from '../support/api-client.js';
import type { TestAccount, World } from '../support/world.js';
import type { DescribedRoute } from './routes.js';

/** Our API keys, and the signing secrets that we make. */
const FORMATS = /pk_live_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}|whsec_[A-Za-z0-9+/]{20}/;
/** Columns with encrypted values that are no keys or secrets: they hold personal data, or answers without their secrets. */
const NO_SECRETS: readonly string[] = ['idempotency_keys.response', 'contact_erasures.identity'];

/** The keys and secrets of an account, and whether answers show them. */
export class ShownSecrets {
  /** Each value, with the route or column that it comes from. */
  private readonly known = new Map<string, string>();

  add(value: string, from: string): void {
    this.known.set(value, from);
  }

  get values(): string[] {
    return [...this.known.keys()];
  }

  /** Adds what the account's encrypted columns hold. */
  async addSealed(world: World, { accountId }: TestAccount): Promise<void> {
    const secrets = world.parley.app.get(SecretBox);
    for (const sealed of SEALED_COLUMNS) {
      const { table, column, key, place } = sealed;
      const holder = holderOf(sealed);
      const name = `${table}.${column}`;
      if (NO_SECRETS.includes(name)) continue;
      const rows = await world.unitOfWork.autocommit.rows<{ key: string[]; value: string }>(
        `SELECT ARRAY[${key.map(([part]) => `${part}::text`).join(', ')}] AS key, ${holder} AS value
         FROM ${table} WHERE account_id = $1 AND ${holder} IS NOT NULL`,
        [accountId],
      );
      for (const row of rows) {
        for (const text of textsIn(secrets.open(row.value, place(accountId, row.key)))) this.add(text, name);
      }
    }
  }

  /** Which known values a text shows. */
  knownIn(shower: string, text: string): string[] {
    return [...this.known].flatMap(([value, from]) => {
      const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
      return forms.some((form) => text.includes(form)) ? [`${shower} shows a value of ${from}`] : [];
    });
  }

  /**
   * What is wrong with an answer. Its marked fields may show something new, which is known from then on.
   *
   * @param isRepeated whether the answer repeats an earlier one, so that its marked fields show the same again
   */
  faultsOf(
    { key, handler }: Pick<DescribedRoute, 'key' | 'handler'>,
    { status, text, body }: Pick<ApiResponse, 'status' | 'text' | 'body'>,
    isRepeated = false,
  ): string[] {
    const marked = status < 300 ? shownOnceBy(handler) : [];
    const faults: string[] = [];
    for (const name of marked) {
      const value = body[name];
      if (typeof value !== 'string' || value === '') faults.push(`${key}: ${name} is marked, but shows nothing`);
      else if (this.known.has(value) && !isRepeated)
        faults.push(`${key}: ${name} shows ${this.known.get(value)} again`);
    }
    const rest =
      marked.length === 0 ? text : JSON.stringify({ ...body, ...Object.fromEntries(marked.map((n) => [n, ''])) });
    faults.push(...this.knownIn(key, rest));
    if (FORMATS.test(rest)) faults.push(`${key} shows a key or a secret in a field without @ShownOnce`);
    for (const name of marked) if (typeof body[name] === 'string') this.add(body[name], `${key} (${name})`);
    return faults;
  }
}

/** The texts of a decrypted value, which may be JSON. Short ones occur anywhere. */
function textsIn(value: string): string[] {
  try {
    const texts: string[] = [];
    JSON.parse(value, (_, item: unknown) => {
      if (typeof item === 'string') texts.push(item);
      return item;
    });
    return texts.filter((text) => text.length > 5);
  } catch {
    return [value];
  }
}
