import { ApiProperty } from '@nestjs/swagger';
import { type DomainEvent, domainEvent, eventBody } from 'parley';
import type { StoredAnswer } from './survey-answers.queries.js';

class GivenAnswer {
  @ApiProperty({ format: 'uuid' }) readonly survey_id: string;
  @ApiProperty({ format: 'uuid' }) readonly contact_id: string;
  @ApiProperty({ example: 'How did you like your order?' }) readonly question: string;
  @ApiProperty({ description: 'The option that the contact chose', example: 'Good' }) readonly answer: string;

  constructor({ surveyId, contactId, question, options, choice }: StoredAnswer) {
    this.survey_id = surveyId;
    this.contact_id = contactId;
    this.question = question;
    this.answer = options[choice - 1] ?? '';
  }
}

/** The body of the event of an answer. */
export class SurveysAnsweredEvent extends eventBody('surveys.answered', { when: 'A contact answered a survey' }) {
  @ApiProperty() readonly survey: GivenAnswer;

  constructor(answer: StoredAnswer) {
    super(answer.answeredAt);
    this.survey = new GivenAnswer(answer);
  }
}

/** The event of an answer. */
export const surveyAnswered = (answer: StoredAnswer): DomainEvent =>
  domainEvent(answer, new SurveysAnsweredEvent(answer), answer.answeredAt);
