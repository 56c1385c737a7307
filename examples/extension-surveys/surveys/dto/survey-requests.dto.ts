import { ApiProperty } from '@nestjs/swagger';
import { Id, Iso8601, instantOf, Optional, PhoneDigits, type PhoneNumber, Text, TextList } from 'parley';
import { SURVEY_LIMITS } from '../survey-rules.js';
import type { SurveyDraft } from '../surveys.service.js';

/** Request body of create survey. */
export class CreateSurveyRequest {
  @Text({ max: SURVEY_LIMITS.question })
  question: string;

  @ApiProperty({ description: 'The labels of the buttons; each differs from the others' })
  @TextList(SURVEY_LIMITS.options, SURVEY_LIMITS.option, { min: 1, hint: 'each is a button' })
  options: string[];

  @ApiProperty({ description: 'UTC unless it has an offset. Default: `SURVEYS_OPEN_DAYS` from now' })
  @Optional()
  @Iso8601()
  closes_at?: string | null;

  toDraft(): SurveyDraft {
    const { question, options, closes_at } = this;
    return { question, options, closesAt: closes_at ? instantOf(closes_at) : null };
  }
}

/** Request body of send survey. */
export class SendSurveyRequest {
  @PhoneDigits()
  contact_phone: PhoneNumber;

  @ApiProperty({ description: 'The business phone to send from. Default: the account’s primary one' })
  @Optional()
  @Id()
  waba_phone_id?: string | null;
}
