import { Injectable } from '@nestjs/common';
import { PersonalDataSource, type RecordId, type Tx } from 'parley';
import { answersOf, eraseAnswers, mergeAnswers } from './survey-answers.queries.js';

/** The answers of contacts. Counts of closed surveys stay: they name nobody. */
@Injectable()
export class SurveysPersonalData extends PersonalDataSource {
  async export(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<readonly object[]> {
    const answers = await answersOf(accountId, contactIds, tx);
    return answers.map(({ surveyId, question, answer, answeredAt }) => ({
      survey_id: surveyId,
      question,
      answer,
      answered_at: answeredAt.toISOString(),
    }));
  }

  erase(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void> {
    return eraseAnswers(accountId, contactIds, tx);
  }

  merge(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
    return mergeAnswers(accountId, keptId, goneId, tx);
  }
}
