import { ApiProperty } from '@nestjs/swagger';
import { type Paged, PagedResponse, type PageQuery, type RecordId, type SentMessage, SuccessResponse } from 'parley';
import type { Survey } from '../survey.entity.js';
import type { SurveyAnswer } from '../survey-answer.entity.js';
import type { CountedSurvey } from '../surveys.queries.js';

/** A survey record. */
export class SurveyRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  question: string;

  @ApiProperty({ type: [String] })
  options: string[];

  @ApiProperty({ format: 'date-time' })
  closes_at: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static from({ id, question, options, closesAt, createdAt }: Survey): SurveyRecord {
    return { id, question, options, closes_at: closesAt.toISOString(), created_at: createdAt.toISOString() };
  }
}

/** Response to the creation of a survey. */
export class SurveyCreatedResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ type: SurveyRecord })
  survey: SurveyRecord;

  static from(survey: Survey): SurveyCreatedResponse {
    return { status: 'success', message: 'Survey created', survey: SurveyRecord.from(survey) };
  }
}

/** A page of surveys. */
export class SurveysResponse extends PagedResponse {
  @ApiProperty({ type: [SurveyRecord] })
  surveys: SurveyRecord[];

  static from(paged: Paged<Survey>, query: PageQuery): SurveysResponse {
    const surveys = paged.rows.map((row) => SurveyRecord.from(row));
    return { status: 'success', surveys, ...PagedResponse.paging(paged, query) };
  }
}

/** How many contacts chose one option. */
export class SurveyResultField {
  @ApiProperty()
  option: string;

  @ApiProperty({ type: 'integer' })
  answers: number;
}

/** A survey with its results. */
export class SurveyResponse extends SuccessResponse {
  @ApiProperty({ type: SurveyRecord })
  survey: SurveyRecord;

  @ApiProperty({ type: [SurveyResultField], description: 'In the order of the options' })
  results: SurveyResultField[];

  static from(survey: CountedSurvey): SurveyResponse {
    const results = survey.options.map((option, index) => ({ option, answers: survey.counts[index] ?? 0 }));
    return { status: 'success', survey: SurveyRecord.from(survey), results };
  }
}

/** What one contact answered. */
export class SurveyAnswerRecord {
  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty({ description: 'The option that the contact chose' })
  answer: string;

  @ApiProperty({ format: 'date-time' })
  answered_at: string;
}

/** A page of answers. */
export class SurveyAnswersResponse extends PagedResponse {
  @ApiProperty({ type: [SurveyAnswerRecord] })
  answers: SurveyAnswerRecord[];

  static from({ options }: Survey, paged: Paged<SurveyAnswer>, query: PageQuery): SurveyAnswersResponse {
    const answers = paged.rows.map(({ contactId, choice, answeredAt }) => ({
      contact_id: contactId,
      answer: options[choice - 1] ?? '',
      answered_at: answeredAt.toISOString(),
    }));
    return { status: 'success', answers, ...PagedResponse.paging(paged, query) };
  }
}

/** Response to a sent survey. */
export class SurveySentResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  survey_id: string;

  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty({ format: 'uuid', description: 'Of the message in `/api/v1/messages/`' })
  message_id: string;

  static from(surveyId: RecordId, { contactId, messageId }: SentMessage): SurveySentResponse {
    const message = 'Survey sent';
    return { status: 'success', message, survey_id: surveyId, contact_id: contactId, message_id: messageId };
  }
}
