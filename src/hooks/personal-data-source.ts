import type { Provider } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

/** What the tables of a room hold about contacts. A room has at most one; each of its methods may be repeated. */
export abstract class PersonalDataSource {
  /**
   * The rows about a person, who may have several contacts. They are a section of `GET /contacts/{id}/export`, which
   * has the name of the room.
   */
  abstract export(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<readonly object[]>;

  /** Removes everything about contacts, which are erased. Called again for what was stored late. */
  abstract erase(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void>;

  /** Moves the rows of a contact to another one, which turned out to be the same person. */
  abstract merge(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void>;
}

/** Whether a provider of a room is its source of personal data. */
export const isSource = (provider: Provider): boolean =>
  typeof provider === 'function' && provider.prototype instanceof PersonalDataSource;
