import { DAY, Room } from 'parley';
import { CreateSurveys1790000000001 } from './migrations/0001-create-surveys.js';
import { Survey } from './survey.entity.js';
import { SurveyAnswer } from './survey-answer.entity.js';
import { SurveyTaps } from './survey-taps.js';
import { SurveysController } from './surveys.controller.js';
import { SurveysAnsweredEvent } from './surveys.events.js';
import { SURVEYS_EXAMPLES } from './surveys.examples.js';
import { SURVEYS_COUNT } from './surveys.jobs.js';
import { SurveysPersonalData } from './surveys.personal-data.js';
import { SurveysProcessor } from './surveys.processor.js';
import { SurveysService } from './surveys.service.js';
import { SurveysSettings } from './surveys.settings.js';
import { ANSWERS_KEPT, SurveysSweep } from './surveys.sweep.js';

/** Questions to contacts, which they answer with a tap on a button. */
@Room({
  areas: ['surveys'],
  tags: [['surveys', 'Questions to contacts, which they answer with a tap']],
  entities: [Survey, SurveyAnswer],
  migrations: [CreateSurveys1790000000001],
  settings: SurveysSettings,
  kept: { surveys_answers: `${ANSWERS_KEPT / DAY} days after the survey was closed` },
  personalData: { covered: ['surveys_answers'] },
  jobs: [SURVEYS_COUNT],
  events: [SurveysAnsweredEvent],
  examples: SURVEYS_EXAMPLES,
  controllers: [SurveysController],
  providers: [SurveysService, SurveyTaps, SurveysPersonalData],
  worker: [SurveysProcessor, SurveysSweep],
})
export default class SurveysModule {}
