document.documentElement.className = "js loading";
