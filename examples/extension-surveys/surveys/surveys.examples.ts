import { EXAMPLE_ID, EXAMPLE_PHONE, one, type RoomExamples } from 'parley';

const [QUESTION, OPTIONS, ANSWER] = ['How did you like your order?', ['Good', 'So so', 'Bad'], 'Good'];

/** What the description of the API shows of surveys. */
export const SURVEYS_EXAMPLES: RoomExamples = {
  requests: {
    'surveys.create': one('Three options', {
      question: QUESTION,
      options: OPTIONS,
      closes_at: '2030-01-31T09:30:00+01:00',
    }),
    'surveys.send': one('From the primary phone', { contact_phone: EXAMPLE_PHONE }),
  },
  values: {
    'CreateSurveyRequest.question': QUESTION,
    'CreateSurveyRequest.options': OPTIONS,
    'SurveyRecord.question': QUESTION,
    'SurveyRecord.options': OPTIONS,
    'SurveyCreatedResponse.message': 'Survey created',
    'SurveyResultField.option': ANSWER,
    'SurveyResultField.answers': 12,
    'SurveyAnswerRecord.answer': ANSWER,
    'SurveySentResponse.message': 'Survey sent',
    'ContactExportResponse.surveys': [
      { survey_id: EXAMPLE_ID, question: QUESTION, answer: ANSWER, answered_at: '2026-01-31T09:30:00.000Z' },
    ],
  },
};
