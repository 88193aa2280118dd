export const CreateApplication = () => null;
