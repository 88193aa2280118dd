export { closestKey, findSetting } from './find-setting.ts';
export type { Setting, SettingRole, SettingStatus, Settings, SettingType } from './setting.ts';
export type { SettingName } from './setting-name.ts';
export { type SettingSource, secretTypeLabel, settingTable } from './table.ts';
