/** A kind of job: its stable name, the queue that it runs in, and the ids that it carries. */
export interface JobKind<Ids extends object> {
  readonly name: string;
  readonly queue: string;
  /** Never set; it carries the type. */
  readonly ids?: Ids;
}

/**
 * Declares a kind of job. It carries ids only, so that a job can run twice or be rebuilt from the tables. A change of
 * meaning gets a new name, such as `campaign.dispatch.v2`.
 */
export const jobKind = <Ids extends object>(name: string, queue: string): JobKind<Ids> => ({ name, queue });

/** The ids that a kind of job carries. */
export type IdsOf<Kind> = Kind extends JobKind<infer Ids> ? Ids : never;
