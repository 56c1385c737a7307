import type { operations } from './generated/schema.js';

/** Every operation that the description knows, with its parameters, bodies and answers. */
type Operations = operations;

/** The query of an operation, by its id. */
export type QueryOf<Id extends keyof Operations> = NonNullable<Operations[Id]['parameters']['query']>;

/** The JSON body of an operation's request, by its id. */
export type BodyOf<Id extends keyof Operations> =
  NonNullable<Operations[Id]['requestBody']> extends { content: { 'application/json': infer Body } } ? Body : never;

/** The JSON body of an operation's successful answer, by its id. */
export type AnswerOf<Id extends keyof Operations> =
  SuccessOf<Operations[Id]['responses']> extends {
    content: { 'application/json': infer Answer };
  }
    ? Answer
    : never;

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201 | 202)];
