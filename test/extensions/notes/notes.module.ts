import { Room } from 'parley';
import { CreateNotes1790000000001 } from './migrations/0001-create-notes.js';
import { Note } from './note.entity.js';
import { NotesController } from './notes.controller.js';
import { NotesSettings } from './notes.settings.js';

/** Notes: a small extension for tests of how extensions are loaded. */
@Room({
  areas: ['notes'],
  tags: [['notes', 'Notes']],
  entities: [Note],
  migrations: [CreateNotes1790000000001],
  settings: NotesSettings,
  controllers: [NotesController],
})
export default class NotesModule {}
