import type { TestAccount, World } from './world.js';

/** The ids and names of an account's records, by the names under which requests refer to them. */
export type RecordValues = Readonly<Record<string, string>>;

/** An account with a record of every kind; each value under the name by which requests refer to it. */
export interface TenantRecords {
  readonly account: TestAccount;
  readonly values: RecordValues;
}

/** What requests need besides the records of an account. */
export interface Surroundings {
  readonly world: World;
  /** The URL of a PNG. */
  readonly pictureUrl: string;
}

/** A row, or some columns of one. */
export type Row = Readonly<Record<string, unknown>>;

/** What a test needs in order to fill a list and to take from it. */
export interface ListWalk {
  /** The table of its rows. */
  readonly table: string;
  /** What other rows refer to, so that it cannot be deleted. */
  readonly keeps?: (records: TenantRecords) => string;
  /** What tells one row from the next; the rest is copied from a row that the account has. */
  readonly fresh: (number: number, records: TenantRecords) => Row | Promise<Row>;
  /** The field of the records that identifies them, and the column that holds it. */
  readonly shown: readonly [field: string, column: string];
  /** The query of the walk. */
  readonly query?: string;
}

/** A statement that may touch rows of all accounts, identified by its beginning, and the reason. */
export interface PipelineStatement {
  /** The beginning of its text, with single spaces. */
  readonly begins: string;
  readonly why: string;
}

/** Makes an event of a kind happen in an account whose messages the simulator accepts, without reports of its own. */
export type EventTrigger = (world: World, account: TestAccount) => Promise<void>;

/** A person of whom an account holds data. */
export interface TracedPerson {
  readonly contactId: string;
  readonly phone: string;
  /** Texts that occur only in data about this person. */
  readonly needles: readonly string[];
}

/**
 * What the tests over every route, table, queue and person must know of a module, and cannot learn from its manifest.
 * An extension exports its own by default from `tests/records.ts`. A test that misses an entry fails and names it.
 */
export interface ModuleRecords {
  /**
   * Gives an account a record of every kind of the module. The values it returns stand for parameters in paths, so they
   * have the same names: `survey_id`.
   *
   * @param values those of the core, such as `contact_id`
   */
  readonly create?: (world: World, account: TestAccount, values: RecordValues) => Promise<RecordValues>;
  /** Names in paths, queries and bodies that refer to a record, and the value that they take. */
  readonly references?: Readonly<Record<string, string>>;
  /** Names that look like references to records but are not, with what they are. */
  readonly noReferences?: Readonly<Record<string, string>>;
  /** Bodies of valid requests, by route (`POST /api/v1/surveys`): every route with a JSON body needs one. */
  readonly bodies?: Readonly<Record<string, (own: RecordValues) => Record<string, unknown>>>;
  /** Brings the records of a new account into the state that a POST needs in order to succeed, by route. */
  readonly ready?: Readonly<Record<string, (records: TenantRecords, around: Surroundings) => Promise<unknown>>>;
  /** The walks over each list, by route. */
  readonly lists?: Readonly<Record<string, readonly ListWalk[]>>;
  /** How each kind of event that an endpoint can ask for comes about, by kind. */
  readonly eventTriggers?: Readonly<Record<string, EventTrigger>>;
  /** Routes that need no key, and why. */
  readonly publicRoutes?: Readonly<Record<string, string>>;
  /** POSTs that change nothing, so that a read scope is enough, and why they are POSTs. */
  readonly readingPosts?: Readonly<Record<string, string>>;
  /** Fields of POSTs whose empty array does not count as absent, `POST /api/v1/surveys questions`, and why. */
  readonly emptyArrays?: Readonly<Record<string, string>>;
  /** Fields of answers that hold keys and secrets by their names only, `survey.has_key`, with what they are. */
  readonly noSecrets?: Readonly<Record<string, string>>;
  /** Indexes that do not begin with the account, and why. */
  readonly otherIndexes?: Readonly<Record<string, string>>;
  /** Columns that are named like references and have no foreign key, `surveys_answers.contact_id`, and why. */
  readonly unboundReferences?: Readonly<Record<string, string>>;
  /** Statements that may touch rows of all accounts. */
  readonly pipelineStatements?: readonly PipelineStatement[];
  /** Leaves data of a person in every column that holds personal data of contacts. @returns values for paths */
  readonly leaveTraces?: (world: World, account: TestAccount, person: TracedPerson) => Promise<RecordValues>;
}
