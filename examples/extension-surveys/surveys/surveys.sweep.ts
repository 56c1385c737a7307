import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork, DAY, JobQueue, now, Sweep } from 'parley';
import { deleteAnswers } from './survey-answers.queries.js';
import { SURVEYS_COUNT } from './surveys.jobs.js';
import { closeSurvey, findDueSurveys, findSurveysWithOldAnswers, type SurveyKey } from './surveys.queries.js';

/** How long answers are kept after their survey was closed, milliseconds. The counts stay. */
export const ANSWERS_KEPT = 90 * DAY;

/**
 * Closes surveys whose time is over and has them counted, also those whose job got lost; then deletes old answers. It
 * may be late, because answers are compared with the time at which their survey closes.
 */
@Injectable()
export class SurveysSweep extends Sweep {
  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly jobs: JobQueue,
  ) {
    super(DAY);
  }

  protected async sweep(): Promise<void> {
    const { autocommit } = this.unitOfWork;
    const about = ({ surveyId }: SurveyKey) => `survey ${surveyId}`;
    await this.forEach(await findDueSurveys(autocommit), about, async ({ accountId, surveyId }) => {
      await closeSurvey(accountId, surveyId, autocommit);
      await this.jobs.enqueue(SURVEYS_COUNT, { account_id: accountId, survey_id: surveyId }, { key: surveyId });
    });
    const before = new Date(now().getTime() - ANSWERS_KEPT);
    await this.forEach(await findSurveysWithOldAnswers(before, autocommit), about, ({ accountId, surveyId }) =>
      deleteAnswers(accountId, surveyId, autocommit),
    );
  }
}
