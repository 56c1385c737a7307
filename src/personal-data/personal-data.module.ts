import { AnswerErasureService } from '../idempotency/answer-erasure.service.js';
import { Room } from '../manifest/room.js';
import { CodeMaskingSweep } from './code-masking.sweep.js';
import { CodeMaskingRun } from './code-masking-run.entity.js';
import { ContactExportController } from './contact-export.controller.js';
import { ContactExportService } from './contact-export.service.js';
import { ContactPurgeSweep } from './contact-purge.sweep.js';
import { ErasureSweep } from './erasure.sweep.js';
import { ErasureRun } from './erasure-run.entity.js';
import { ErasureSteps } from './erasure-steps.js';
import { OwedSourcesService } from './owed-sources.service.js';
import { PERSONAL_DATA_EXAMPLES } from './personal-data.examples.js';

/** Exports and erases everything stored about one person, across all rooms. */
@Room({
  examples: PERSONAL_DATA_EXAMPLES,
  entities: [CodeMaskingRun, ErasureRun],
  kept: {
    code_masking_runs: 'until the codes from before the upgrade are masked, about an hour',
    erasure_runs: 'until every table has been processed',
  },
  controllers: [ContactExportController],
  providers: [AnswerErasureService, ContactExportService],
  worker: [CodeMaskingSweep, ContactPurgeSweep, ErasureSteps, ErasureSweep, OwedSourcesService],
})
export class PersonalDataModule {}
