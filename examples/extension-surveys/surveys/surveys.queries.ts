import {
  cutRows,
  type Database,
  NEWEST_FIRST,
  newRecordId,
  type Page,
  type Paged,
  type Positioned,
  type RecordId,
  type Tx,
} from 'parley';
import { Survey } from './survey.entity.js';

/** A survey as a caller creates it. */
export type NewSurvey = Readonly<Pick<Survey, 'question' | 'options' | 'closesAt'>>;

/** A survey, with how many contacts have chosen each of its options. */
export type CountedSurvey = Survey & { readonly counts: readonly number[] };

/** What names a survey. */
export interface SurveyKey {
  readonly accountId: string;
  readonly surveyId: RecordId;
}

const COLUMNS = 's.account_id, s.id, s.question, s.options, s.closes_at, s.closed_at, s.created_at';

/** How many contacts have chosen each option of survey `s` of account $1. */
const COUNTED = `(
       SELECT array_agg(found ORDER BY choice) FROM (
         SELECT o.choice, count(a.contact_id)::integer AS found
         FROM generate_subscripts(s.options, 1) AS o (choice)
         LEFT JOIN surveys_answers a ON a.account_id = $1 AND a.survey_id = s.id AND a.choice = o.choice
         GROUP BY o.choice
       ) each
     )`;

export async function insertSurvey(accountId: string, survey: NewSurvey, tx: Tx): Promise<RecordId> {
  const id = newRecordId();
  await tx.manager.insert(Survey, { accountId, id, ...survey });
  return id;
}

/** Returns null when the survey is unknown or in another account. */
export function findSurvey(accountId: string, id: RecordId, db: Database): Promise<CountedSurvey | null> {
  return db.row<CountedSurvey>(
    `SELECT ${COLUMNS}, coalesce(s.counts, ${COUNTED}) AS counts FROM surveys_surveys s
     WHERE s.account_id = $1 AND s.id = $2`,
    [accountId, id],
  );
}

/** Returns one page of surveys, newest first. */
export async function listSurveys(accountId: string, page: Page, db: Database): Promise<Paged<Survey>> {
  const rows = await db.rows<Positioned<Survey>>(
    `SELECT ${COLUMNS}, s.counts, ${NEWEST_FIRST.position('s')} FROM surveys_surveys s
     WHERE s.account_id = $1 ${NEWEST_FIRST.pageOf(page, '$2', '$3', 's')}`,
    [accountId, ...NEWEST_FIRST.parameters(page)],
  );
  return { ...cutRows(rows, page), total: await db.manager.countBy(Survey, { accountId }) };
}

/** The surveys of all accounts that must be closed or counted, up to a thousand. */
export function findDueSurveys(db: Database): Promise<SurveyKey[]> {
  return db.rows<SurveyKey>(
    `SELECT account_id, id AS survey_id FROM surveys_surveys WHERE counts IS NULL AND closes_at <= now()
     ORDER BY closes_at LIMIT 1000`,
  );
}

/** Lets no more answers in. Waits for those that are being stored. */
export async function closeSurvey(accountId: string, id: RecordId, db: Database): Promise<void> {
  await db.affected(
    'UPDATE surveys_surveys SET closed_at = now() WHERE account_id = $1 AND id = $2 AND closed_at IS NULL',
    [accountId, id],
  );
}

/** Stores the counts of a closed survey, once. */
export async function countSurvey(accountId: string, id: RecordId, db: Database): Promise<void> {
  await db.affected(
    `UPDATE surveys_surveys s SET counts = ${COUNTED}
     WHERE s.account_id = $1 AND s.id = $2 AND s.closed_at IS NOT NULL AND s.counts IS NULL`,
    [accountId, id],
  );
}

/** The counted surveys of all accounts that were closed before `before` and still have answers, up to a thousand. */
export function findSurveysWithOldAnswers(before: Date, db: Database): Promise<SurveyKey[]> {
  return db.rows<SurveyKey>(
    `SELECT account_id, id AS survey_id FROM surveys_surveys s
     WHERE closed_at < $1 AND counts IS NOT NULL
       AND EXISTS (SELECT FROM surveys_answers a WHERE a.account_id = s.account_id AND a.survey_id = s.id)
     LIMIT 1000`,
    [before],
  );
}
