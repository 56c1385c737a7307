import type { Scope } from '../manifest/manifest.js';

/** What a stream watches. */
export interface Watched {
  readonly accountId: string;
  /** Who watches; topics that are the same for everybody leave them out of {@link LiveTopic.keyOf}. */
  readonly userId: string;
  readonly scopes: ReadonlySet<string>;
  /** What of the topic, as {@link LiveTopic.readSubject} has it; null for a topic that is one thing. */
  readonly subject: string | null;
}

/** Something that changes and can be watched. All who watch the same thing share one reader in each process. */
export abstract class LiveTopic {
  /** As streams name it, without the subject. */
  abstract readonly name: string;
  /** The event that carries its state. */
  abstract readonly event: string;
  /** The scopes that watching needs. */
  abstract readonly scopes: readonly Scope[];
  /** What stands behind a colon, as messages say it; null for a topic that is one thing. */
  readonly form: string | null = null;
  /** Milliseconds between two reads while something changes. */
  abstract readonly everyMs: number;
  /** Milliseconds between two reads of what has not changed for a while. */
  readonly idleMs: number = 1000;
  /** Whether {@link read} gets one at a time, which waits for no other. */
  readonly readsApart: boolean = false;

  /** @returns the subject that a request names; null when it has another form */
  readSubject(text: string): string | null {
    return text;
  }

  /** The same for watchers who see the same. */
  keyOf({ accountId, subject }: Watched): string {
    return `${accountId} ${subject}`;
  }

  /** @throws DomainError `not_found` when there is no such record in the account, `forbidden` when it is another one's */
  async requireSubject(_accountId: string, _subject: string): Promise<void> {}

  /**
   * Something that costs little to read and changes with what is shown, in the order of `watched`. While it stays the
   * same, the state is read every few seconds only, for what it does not cover. Null: nobody knows.
   */
  async marks(watched: readonly Watched[]): Promise<readonly (string | null)[]> {
    return watched.map(() => null);
  }

  /**
   * Reads the state of everything that is watched, with as few statements for a hundred accounts as for one.
   *
   * @returns states in the order of `watched`; null for what is gone
   */
  abstract read(watched: readonly Watched[]): Promise<(object | null)[]>;
}
