const esc = String.fromCharCode(27);
const bell = String.fromCharCode(7);
const sequences = new RegExp(
  `${esc}\\[[\\d;?]*[A-Za-z]|${esc}\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)|[\\p{Cc}--[\\t]]`,
  'gv',
);

/** Colours and other control sequences of terminals are removed: what a container prints is only text. */
export const plainText = (text: string): string => text.replace(sequences, '');
