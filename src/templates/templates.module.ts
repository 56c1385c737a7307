import { Module } from '@nestjs/common';
import { ExampleMedia } from './example-media.js';
import { NetworkTemplates } from './network-templates.js';
import { TemplateCatalog } from './template-catalog.service.js';
import { TemplateCreation } from './template-creation.service.js';
import { TemplateReview } from './template-review.service.js';
import { TemplateSync } from './template-sync.service.js';
import { TemplatesController } from './templates.controller.js';
import { Templates } from './templates.service.js';

/** Message templates: made, reviewed, synchronised, and found for sending. */
@Module({
  controllers: [TemplatesController],
  providers: [
    NetworkTemplates,
    ExampleMedia,
    TemplateReview,
    TemplateCreation,
    TemplateSync,
    Templates,
    TemplateCatalog,
  ],
  exports: [TemplateCatalog, TemplateReview],
})
export class TemplatesModule {}
