/** The record id of the examples. */
export const EXAMPLE_ID = '019c1363-49c0-7680-92b3-4d37d5120a7f';
export const EXAMPLE_IDS = ['019c1363-49c0-7dfa-9508-c296aabc444f', '019c1363-49c0-7642-9fe5-1e78f53e031a'];
export const EXAMPLE_PHONE = '4915123456789';

/** Examples of one request body, by a name. */
export type BodyExamples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

/** What the description of the API shows of a room and its classes do not tell. */
export interface RoomExamples {
  /** Bodies that work as they stand, once ids and names are your own, by operation: `groups.create`. */
  readonly requests?: Readonly<Record<string, BodyExamples>>;
  /** Descriptions of bodies that are not described by a class, by operation. */
  readonly bodies?: Readonly<Record<string, object>>;
  /** Values of properties whose type or name gives none, or another, by `Schema.property`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** The only example of a body. */
export const one = (summary: string, value: object): BodyExamples => ({ example: { summary, value } });
