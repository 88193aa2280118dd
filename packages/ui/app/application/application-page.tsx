export const ApplicationPage = () => null;
