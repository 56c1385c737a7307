import { Processor } from '@nestjs/bullmq';
import { type IdsOf, QueueProcessor, WORKER_OPTIONS } from 'parley';
import { SURVEYS_COUNT } from './surveys.jobs.js';
import { SurveysService } from './surveys.service.js';

/** Has the answers of a closed survey counted. */
@Processor(SURVEYS_COUNT.queue, WORKER_OPTIONS)
export class SurveysProcessor extends QueueProcessor<IdsOf<typeof SURVEYS_COUNT>> {
  constructor(private readonly surveys: SurveysService) {
    super(SURVEYS_COUNT);
  }

  protected perform({ account_id, survey_id }: IdsOf<typeof SURVEYS_COUNT>): Promise<void> {
    return this.surveys.count(account_id, survey_id);
  }
}
