import { Room } from '../manifest/room.js';
import { PasswordTries } from './password-tries.js';
import { Passwords } from './passwords.js';
import { SessionsController } from './sessions.controller.js';
import { SESSIONS_EXAMPLES } from './sessions.examples.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { SignInLinksService } from './sign-in-links.service.js';
import { UserPasswordsService } from './user-passwords.service.js';

/** Signing in and out. What a session may do is decided where keys are authenticated. */
@Room({
  tags: [['session', 'Who has signed in at the console']],
  examples: SESSIONS_EXAMPLES,
  kept: {
    sessions: 'until they end: 7 days at most',
    sign_in_links: 'until they are used or expire',
    sign_in_tries: 'a day after the last attempt',
  },
  controllers: [SessionsController],
  providers: [Passwords, PasswordTries, SessionsService, SignInLinksService, SignInService, UserPasswordsService],
  exports: [SignInLinksService],
})
export class SessionsModule {}
