import {
  cutRows,
  type Database,
  ListOrder,
  type Page,
  type Paged,
  type Positioned,
  type RecordId,
  type Tx,
} from 'parley';
import type { Survey } from './survey.entity.js';
import { SurveyAnswer } from './survey-answer.entity.js';
import type { Choice } from './survey-button.js';

/** What a contact chose, and when. */
export interface NewAnswer extends Choice {
  readonly contactId: RecordId;
  readonly answeredAt: Date;
}

/** An answer that was stored, and what it answers. */
export type StoredAnswer = SurveyAnswer & Pick<Survey, 'question' | 'options'>;

const LATEST_FIRST = new ListOrder({ answered_at: 'time', contact_id: 'id' });

/**
 * Stores an answer. Locks the survey until the end of the transaction, so that no answer is missing from its counts.
 *
 * @returns null when the survey is unknown or closed, has no such option, or the contact has answered before
 */
export function insertAnswer(accountId: string, answer: NewAnswer, db: Database): Promise<StoredAnswer | null> {
  const { surveyId, contactId, choice, answeredAt } = answer;
  return db.row<StoredAnswer>(
    `WITH survey AS (
       SELECT account_id, id, question, options FROM surveys_surveys
       WHERE account_id = $1 AND id = $2 AND closed_at IS NULL AND closes_at > $5 AND cardinality(options) >= $4
       FOR SHARE
     ), stored AS (
       INSERT INTO surveys_answers (account_id, survey_id, contact_id, choice, answered_at)
       SELECT account_id, id, $3::uuid, $4::integer, $5::timestamptz FROM survey
       ON CONFLICT ON CONSTRAINT surveys_answers_pkey DO NOTHING
       RETURNING account_id, survey_id, contact_id, choice, answered_at
     )
     SELECT stored.*, survey.question, survey.options FROM stored, survey`,
    [accountId, surveyId, contactId, choice, answeredAt],
  );
}

/** Returns one page of the answers to a survey, the latest first. */
export async function listAnswers(
  accountId: string,
  surveyId: RecordId,
  page: Page,
  db: Database,
): Promise<Paged<SurveyAnswer>> {
  const rows = await db.rows<Positioned<SurveyAnswer>>(
    `SELECT account_id, survey_id, contact_id, choice, answered_at, ${LATEST_FIRST.position()} FROM surveys_answers
     WHERE account_id = $1 AND survey_id = $4 ${LATEST_FIRST.pageOf(page, '$2', '$3')}`,
    [accountId, ...LATEST_FIRST.parameters(page), surveyId],
  );
  return { ...cutRows(rows, page), total: await db.manager.countBy(SurveyAnswer, { accountId, surveyId }) };
}

/** Deletes the answers to a survey. */
export async function deleteAnswers(accountId: string, surveyId: RecordId, db: Database): Promise<void> {
  await db.affected('DELETE FROM surveys_answers WHERE account_id = $1 AND survey_id = $2', [accountId, surveyId]);
}

/** An answer with the words of its survey. */
export interface WordedAnswer {
  readonly surveyId: RecordId;
  readonly question: string;
  readonly answer: string;
  readonly answeredAt: Date;
}

/** The answers of contacts, the oldest first. */
export function answersOf(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<WordedAnswer[]> {
  return tx.rows<WordedAnswer>(
    `SELECT a.survey_id, s.question, s.options[a.choice] AS answer, a.answered_at
     FROM surveys_answers a JOIN surveys_surveys s ON s.account_id = a.account_id AND s.id = a.survey_id
     WHERE a.account_id = $1 AND a.contact_id = ANY ($2::uuid[])
     ORDER BY a.answered_at`,
    [accountId, contactIds],
  );
}

/** Deletes the answers of contacts. */
export async function eraseAnswers(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void> {
  await tx.affected('DELETE FROM surveys_answers WHERE account_id = $1 AND contact_id = ANY ($2::uuid[])', [
    accountId,
    contactIds,
  ]);
}

/** Makes the answers of one contact those of another. If both have answered a survey, the first answer stays. */
export async function mergeAnswers(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH gone AS (
       DELETE FROM surveys_answers WHERE account_id = $1 AND contact_id = $3
       RETURNING account_id, survey_id, choice, answered_at
     )
     INSERT INTO surveys_answers AS kept (account_id, survey_id, contact_id, choice, answered_at)
     SELECT account_id, survey_id, $2::uuid, choice, answered_at FROM gone
     ON CONFLICT ON CONSTRAINT surveys_answers_pkey
     DO UPDATE SET choice = excluded.choice, answered_at = excluded.answered_at
     WHERE excluded.answered_at < kept.answered_at`,
    [accountId, keptId, goneId],
  );
}
