import { different, honoured, type Settings, server } from '../setting.ts';

const noAnalytics = 'shown to clients only: nothing is sent to Google Analytics';

/** Keys that the API server passes on to user interfaces, in `/api/v1/settings`. */
export const interfaceSettings = {
  'ui.cssurl': honoured('text', '', server, 'the address of a style sheet'),
  'ui.bannercontent': honoured('text', '', server, 'the text of a banner'),
  'ui.bannerurl': honoured('text', '', server, 'the address that the banner links to'),
  'ui.bannerpermanent': honoured('boolean', 'false', server, 'the banner cannot be closed'),
  'ui.bannerposition': honoured('text', 'top', server, 'where the banner is: `top`, `bottom` or `both`'),
  'ui.loginButtonText': honoured('text', '', server, 'the text of the button for single sign-on'),
  'ui.view.resources.disabled': honoured('boolean', 'false', server, 'the view of all resources is hidden'),
  'help.chatUrl': honoured('text', '', server, 'the address of a chat for help'),
  'help.chatText': honoured('text', 'Chat now!', server, 'the text of the link to the chat'),
  'help.download.*': honoured('text', '', server, 'where the command line for a platform can be downloaded'),
  'ga.trackingid': different('text', '', server, 'the id of Google Analytics', noAnalytics),
  'ga.anonymizeusers': different(
    'boolean',
    'true',
    server,
    'names of users are hashed for Google Analytics',
    noAnalytics,
  ),
} as const satisfies Settings;
