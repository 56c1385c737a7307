import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { AnswerErasureService } from '../idempotency/answer-erasure.service.js';
import { ContactExportController } from './contact-export.controller.js';
import { ContactExportService } from './contact-export.service.js';
import { ContactPurgeSweep } from './contact-purge.sweep.js';
import { ErasureSweep } from './erasure.sweep.js';
import { ErasureSteps } from './erasure-steps.js';

/** Exports and erases everything stored about one person, across all rooms. */
@Module({})
export class PersonalDataModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: PersonalDataModule,
      controllers: roles.has('api') ? [ContactExportController] : [],
      providers: [
        AnswerErasureService,
        ContactExportService,
        ...(roles.has('worker') ? [ContactPurgeSweep, ErasureSteps, ErasureSweep] : []),
      ],
    };
  }
}
