/** Whether `--scenario TEXT` selects a scenario of this name. */
export const isSelected = (name: string, text = '') => name.toLowerCase().includes(text.toLowerCase())
