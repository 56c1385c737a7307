import { Injectable } from '@nestjs/common';
import { SecretBox, UnreadableSecret } from '../database/secrets/secret-box.js';
import type { Tx } from '../database/unit-of-work.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import { type PersonTokens, redactedAbout } from '../values/redaction.js';
import { type AnsweredKey, erasedName, type FamilyKey, findAnswers, replaceAnswer } from './idempotency.queries.js';
import { type AccountKey, answerPlace } from './idempotency-keys.service.js';
import type { StoredAnswer } from './stored-answer.js';

/** Erases people from stored answers. The keys stay, so that a repeated request does not run again. */
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
    tx: Tx,
  ): Promise<FamilyKey | null> {
    const answers = await findAnswers(accountId, after, limit, tx);
    for (const answer of answers) {
      const kept = this.without(people, accountId, answer);
      if (kept !== null) await replaceAnswer(accountId, answer, kept, tx);
    }
    return answers.at(-1) ?? null;
  }

  /** The account's answers that name these people, as JSON texts in pages of at most `limit`. */
  async *about(accountId: RecordId, people: PersonTokens, limit: number, tx: Tx): AsyncGenerator<string[]> {
    let after: FamilyKey | undefined = { family: NIL_ID, key: '' };
    while (after !== undefined) {
      const answers: AnsweredKey[] = await findAnswers(accountId, after, limit, tx);
      yield answers.flatMap(({ family, key, response }) => {
        const answer = this.open({ accountId, family, key }, response);
        if (answer === null || !(people.areNamedIn(answer.body) || people.areNamedIn(key))) return [];
        return [JSON.stringify({ idempotency_key: key, status: answer.status, body: JSON.parse(answer.body) })];
      });
      after = answers.at(-1);
    }
  }

  /** The key and answer without these people, or null when nothing changes. Answers that cannot be decrypted stay. */
  private without(
    people: PersonTokens,
    accountId: RecordId,
    { family, key, response }: AnsweredKey,
  ): Omit<AnsweredKey, 'family'> | null {
    const answer = this.open({ accountId, family, key }, response);
    if (answer === null || !(people.areNamedIn(answer.body) || people.areNamedIn(key))) return null;
    const kept = people.areNamedIn(key) ? erasedName(key) : key;
    const body = JSON.stringify(redactedAbout(JSON.parse(answer.body), people));
    const place = answerPlace({ accountId, family, key: kept });
    return {
      key: kept,
      response: this.secrets.seal(JSON.stringify({ ...answer, body } satisfies StoredAnswer), place),
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
