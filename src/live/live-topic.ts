import type { Scope } from '../manifest/manifest.js';

/** What a stream watches. */
export interface Watched {
  readonly accountId: string;
  /** Who watches; topics that are the same for everybody leave them out of {@link LiveTopic.keyOf}. */
  readonly userId: string;
  readonly scopes: ReadonlySet<string>;
  /** The record; null for a topic without one. */
  readonly subjectId: string | null;
}

/** Something that changes and can be watched. All who watch the same thing share one reader in each process. */
export abstract class LiveTopic {
  /** As streams name it, without the record. */
  abstract readonly name: string;
  /** The event that carries its state. */
  abstract readonly event: string;
  /** The scopes that watching needs. */
  abstract readonly scopes: readonly Scope[];
  /** Whether it is about one record, which is named behind a colon. */
  readonly hasSubject: boolean = false;
  /** Milliseconds between two reads while something changes. */
  abstract readonly everyMs: number;
  /** Milliseconds between two reads of what has not changed for a while. */
  readonly idleMs: number = 1000;

  /** The same for watchers who see the same. */
  keyOf({ accountId, subjectId }: Watched): string {
    return `${accountId} ${subjectId}`;
  }

  /** @throws DomainError `not_found` when there is no such record in the account */
  async requireSubject(_accountId: string, _subjectId: string): Promise<void> {}

  /**
   * Reads the state of everything that is watched, with as few statements for a hundred accounts as for one.
   *
   * @returns states in the order of `watched`; null for what is gone
   */
  abstract read(watched: readonly Watched[]): Promise<(object | null)[]>;
}
