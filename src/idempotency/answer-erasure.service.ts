import { Injectable } from '@nestjs/common';
import { SecretBox, UnreadableSecret } from '../database/secrets/secret-box.js';
import type { Database } from '../database/unit-of-work.js';
import { mapInSlices, pause } from '../runtime/slices.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import { eachPartAbout, type PersonTokens, redactedAbout } from '../values/redaction.js';
import { isPathAbout, pathAbout, pathWithout } from './answered-path.js';
import { type AnsweredKey, erasedName, type FamilyKey, findAnswers, replaceAnswer } from './idempotency.queries.js';
import { type AccountKey, answerPlace } from './idempotency-keys.service.js';
import { readableBody, type StoredAnswer } from './stored-answer.js';

/**
 * Erases people from stored answers. The keys stay, so that a repeated request does not run again. An answer may have
 * most of a megabyte, so each look at it is a slice of its own.
 */
@Injectable()
export class AnswerErasureService {
  constructor(private readonly secrets: SecretBox) {}

  /**
   * Erases people from the account's next `limit` answers.
   *
   * @returns the last key visited, or null when there are no more
   */
  async erase(
    accountId: RecordId,
    people: PersonTokens,
    after: FamilyKey,
    limit: number,
    db: Database,
  ): Promise<FamilyKey | null> {
    const answers = await findAnswers(accountId, after, limit, db);
    for (const answer of answers) {
      await pause();
      const kept = await this.without(people, accountId, answer);
      if (kept !== null) await replaceAnswer(accountId, answer, kept, db);
    }
    return answers.at(-1) ?? null;
  }

  /**
   * The account's answers that name these people, as JSON texts in pages of at most `limit`: what was asked, when, and
   * what the answer says about the people. The rest of it may be about others.
   */
  async *about(accountId: RecordId, people: PersonTokens, limit: number, db: Database): AsyncGenerator<string[]> {
    let after: FamilyKey | undefined = { family: NIL_ID, key: '' };
    while (after !== undefined) {
      const answers: AnsweredKey[] = await findAnswers(accountId, after, limit, db);
      const found: string[] = [];
      for (const stored of answers) {
        await pause();
        const answer = this.open({ accountId, ...stored }, stored.response);
        if (answer === null || !(await isAbout(people, stored.key, answer))) continue;
        found.push(await summary(stored, answer, people));
      }
      yield found;
      after = answers.at(-1);
    }
  }

  /** The key and answer without these people, or null when nothing changes. Answers that cannot be decrypted stay. */
  private async without(
    people: PersonTokens,
    accountId: RecordId,
    { family, key, response }: AnsweredKey,
  ): Promise<Pick<AnsweredKey, 'key' | 'response'> | null> {
    const answer = this.open({ accountId, family, key }, response);
    if (answer === null) return null;
    const isNamed = people.areWrittenIn(key);
    if (!isNamed && !(await isAbout(people, key, answer))) return null;
    await pause();
    const kept = isNamed ? erasedName(key) : key;
    const { request } = answer;
    const erased: StoredAnswer = {
      ...answer,
      body: JSON.stringify(redactedAbout(JSON.parse(answer.body), people)),
      ...(request === undefined ? {} : { request: { ...request, path: pathWithout(request.path, people) } }),
    };
    await pause();
    return {
      key: kept,
      response: this.secrets.seal(JSON.stringify(erased), answerPlace({ accountId, family, key: kept })),
    };
  }

  private open(key: AccountKey, response: string): StoredAnswer | null {
    try {
      return JSON.parse(this.secrets.open(response, answerPlace(key))) as StoredAnswer;
    } catch (error) {
      if (error instanceof UnreadableSecret) return null;
      throw error;
    }
  }
}

async function isAbout(people: PersonTokens, key: string, { body, request }: StoredAnswer): Promise<boolean> {
  await pause();
  return people.areNamedIn(body) || people.areNamedIn(key) || isPathAbout(request?.path ?? '', people);
}

async function summary({ key, createdAt }: AnsweredKey, answer: StoredAnswer, people: PersonTokens): Promise<string> {
  const { request, status } = answer;
  const body = readableBody(answer);
  await pause();
  const isOwnKey = people.areNamedIn(key) && !people.othersAreNamedIn(key);
  return JSON.stringify({
    method: request?.method ?? null,
    path: request === undefined ? null : pathAbout(request.path, people),
    status,
    at: createdAt,
    ...(isOwnKey ? { idempotency_key: key } : {}),
    about: await mapInSlices(eachPartAbout(body, people), (part) => part),
  });
}
