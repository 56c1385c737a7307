import { Injectable } from '@nestjs/common';
import {
  BackgroundUnitOfWork,
  byNumber,
  DAY,
  type Database,
  FreeFormSenderService,
  noteRecordOfKey,
  now,
  type Page,
  type Paged,
  type PhoneNumber,
  type RecordId,
  type SentMessage,
  UnitOfWork,
} from 'parley';
import type { Survey } from './survey.entity.js';
import type { SurveyAnswer } from './survey-answer.entity.js';
import { listAnswers } from './survey-answers.queries.js';
import { buttonId } from './survey-button.js';
import { requireLater, requireOptions } from './survey-rules.js';
import { surveyClosed, surveyNotFound } from './surveys.errors.js';
import { type CountedSurvey, countSurvey, findSurvey, insertSurvey, listSurveys } from './surveys.queries.js';
import { SurveysSettings } from './surveys.settings.js';

/** A survey as a caller asks for it; without a time it is open as long as the settings say. */
export interface SurveyDraft extends Readonly<Pick<Survey, 'question' | 'options'>> {
  readonly closesAt: Date | null;
}

/** Owns the surveys of an account, and sends them. */
@Injectable()
export class SurveysService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly background: BackgroundUnitOfWork,
    private readonly sender: FreeFormSenderService,
    private readonly settings: SurveysSettings,
  ) {}

  /** @throws DomainError `bad_request` */
  async create(accountId: string, { question, options, closesAt }: SurveyDraft): Promise<Survey> {
    requireOptions(options);
    if (closesAt !== null) requireLater(closesAt, now());
    const survey = {
      question,
      options,
      closesAt: closesAt ?? new Date(now().getTime() + this.settings.openDays * DAY),
    };
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const id = await insertSurvey(accountId, survey, tx);
      await noteRecordOfKey(id, tx);
      return find(accountId, id, tx);
    });
  }

  /** Returns a page of surveys, newest first. */
  list(accountId: string, page: Page): Promise<Paged<Survey>> {
    return listSurveys(accountId, page, this.unitOfWork.reads(accountId));
  }

  /** @throws DomainError `not_found` */
  get(accountId: string, id: RecordId): Promise<CountedSurvey> {
    return find(accountId, id, this.unitOfWork.reads(accountId));
  }

  /** Returns a page of answers, the latest first. @throws DomainError `not_found` */
  async answers(accountId: string, id: RecordId, page: Page): Promise<[Survey, Paged<SurveyAnswer>]> {
    const survey = await this.get(accountId, id);
    return [survey, await listAnswers(accountId, id, page, this.unitOfWork.reads(accountId))];
  }

  /**
   * Asks a contact, who must have written within the last 24 hours.
   *
   * @throws DomainError `not_found`, `conflict` when the survey is closed, and what the sender throws
   */
  async send(
    accountId: string,
    id: RecordId,
    contactPhone: PhoneNumber,
    wabaPhoneId: string | null,
  ): Promise<SentMessage> {
    const { question, options, closesAt } = await this.get(accountId, id);
    if (closesAt <= now()) throw surveyClosed(id, closesAt);
    const replies = options.map((title, index) => ({ id: buttonId({ surveyId: id, choice: index + 1 }), title }));
    return this.sender.send(accountId, {
      content: { type: 'text', text: question, buttons: { type: 'reply', replies } },
      contact: byNumber(contactPhone),
      contactName: null,
      wabaPhoneId,
    });
  }

  /** Counts the answers of a closed survey. Does nothing when it is open or counted. */
  count(accountId: string, id: RecordId): Promise<void> {
    return countSurvey(accountId, id, this.background.autocommit);
  }
}

async function find(accountId: string, id: RecordId, db: Database): Promise<CountedSurvey> {
  const survey = await findSurvey(accountId, id, db);
  if (survey === null) throw surveyNotFound(id);
  return survey;
}
